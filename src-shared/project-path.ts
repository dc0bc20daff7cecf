// Segments as in GitLab, because a path becomes part of addresses. None starts with a dash, so "-"
// always marks the end of a path.
const segment = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;
// First segments of the service's own addresses, and "mine", because of /api/v4/projects/mine.
const reserved = new Set([
  'api',
  'assets',
  'certificate.pem',
  'dav',
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

/**
 * Why a text cannot be the path of a project; null when it can. A number alone cannot: in
 * /api/v4/projects/12 it is an id.
 */
export function problemOfProjectPath(text: string): string | null {
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

/** Whether a text can be the path of a project. */
export function isProjectPath(text: string): boolean {
  return problemOfProjectPath(text) === null;
}
