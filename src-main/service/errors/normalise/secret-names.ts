const names =
  'pass(?:word|wd|phrase|code)?|pwd|secrets?|api[_-]?key|auth|authorization|access_?token|token|credentials?|private[_-]?key|cookies?|csrf|xsrf|bearer|session[_-]?id|jwt';
const secret = new RegExp(`(?:^|[^a-z0-9])(?:${names})(?:$|[^a-z0-9])`);
const mention = new RegExp(names, 'i');

/** What stands in the place of a value that may be a secret. */
export const filtered = '[Filtered]';

const maxCached = 5000;
const maxCachedLength = 64;
// Programs use the same few names again and again.
const known = new Map<string, boolean>();

/** Whether a member of this name may hold a secret: local variables and headers often do, and an error record lives for months. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = looksSecret(name);
  if (name.length <= maxCachedLength) {
    if (known.size >= maxCached) known.clear();
    known.set(name, found);
  }
  return found;
}

/** Whether such a name can stand anywhere in a text: quickly told of most that none does. */
export function mayNameSecret(text: string): boolean {
  return mention.test(text);
}

function looksSecret(name: string): boolean {
  // accessToken is access_token. Long names are cut: this runs for every member of a stranger's data.
  return secret.test(
    name
      .slice(0, 200)
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase(),
  );
}
