// The service's rule, checked while the user types. A test compares the two.
const segment = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;
const reserved = new Set([
  'api',
  'assets',
  'mark.svg',
  'measurements',
  'mine',
  'oauth',
  'profile',
  'setup',
  'ui',
  'user_settings',
  'users',
  'v2',
]);
const maxLength = 255;

/** Why a text cannot be the path of a project; null when it can. */
export function problemOfPath(text: string): string | null {
  if (text.length > maxLength) return `At most ${maxLength} characters.`;
  if (/^\d+$/.test(text)) return 'Not just a number: it would be taken for the number of a project.';
  const parts = text.split('/');
  if (parts.some((part) => part === '')) return 'No empty part: write something before, between and after the slashes.';
  if (!parts.every((part) => segment.test(part)))
    return 'Letters, digits, underscores, dots and hyphens; no part begins with a dot or a hyphen, or ends with a dot.';
  const [first = ''] = parts;
  return reserved.has(first.toLowerCase())
    ? `“${first}” is reserved for addresses of Benchport. Choose another first part.`
    : null;
}
