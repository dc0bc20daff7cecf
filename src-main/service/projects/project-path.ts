// A path becomes part of addresses: segments as GitLab allows them. None begins with a dash, so "-" always stands behind a whole path.
const segment = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;
// First segments of the service's own addresses, and "mine", which stands in the place of a project in /api/v4/projects/mine.
const reserved = new Set([
  'api',
  'assets',
  'certificate.pem',
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

/** Whether a text can be the path of a project. A number alone cannot: in /api/v4/projects/12 it is the project's number. */
export function isProjectPath(text: string): boolean {
  if (text.length > maxLength || /^\d+$/.test(text)) return false;
  const segments = text.split('/');
  return segments.every((part) => segment.test(part)) && !reserved.has(segments[0]?.toLowerCase() ?? '');
}
