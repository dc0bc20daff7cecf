const secret =
  /(?:^|[^a-z0-9])(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|api[_-]?key|auth|authorization|access_?token|token|credentials?|private[_-]?key|cookies?|csrf|xsrf|bearer|session[_-]?id|jwt)(?:$|[^a-z0-9])/;

/** What stands in the place of a value that may be a secret. */
export const filtered = '[Filtered]';

const mostKnown = 5000;
const longestKnown = 64;
// Programs use the same few names again and again.
const known = new Map<string, boolean>();

/** Whether a member of this name may hold a secret: local variables and headers often do, and an error record lives for months. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = looksSecret(name);
  if (name.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear();
    known.set(name, found);
  }
  return found;
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
