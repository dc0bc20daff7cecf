const names =
  'pass(?:word|wd|phrase|code)?|pwd|secrets?|api[_-]?key|auth|authorization|access_?token|token|credentials?|private[_-]?key|cookies?|csrf|xsrf|bearer|session[_-]?id|jwt';
const secret = new RegExp(`(?:^|[^a-z0-9])(?:${names})(?:$|[^a-z0-9])`);
const mention = new RegExp(names, 'i');

/** Replaces a value that may be a secret. */
export const filtered = '[Filtered]';

const maxCached = 5000;
const maxCachedLength = 64;
// Programs use the same few names again and again.
const known = new Map<string, boolean>();

/**
 * Whether a member of this name may hold a secret: local variables and headers often do, and errors
 * are stored for months.
 */
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

/** Whether a text may contain such a name at all: a cheap check that excludes most texts. */
export function mayNameSecret(text: string): boolean {
  return mention.test(text);
}

function looksSecret(name: string): boolean {
  // Treats accessToken like access_token. Cut because it runs for every member of untrusted data.
  return secret.test(
    name
      .slice(0, 200)
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase(),
  );
}
