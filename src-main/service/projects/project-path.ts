// Segments as in GitLab, because a path becomes part of addresses. None starts with a dash, so "-"
// always marks the end of a path.
const segment = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;
// First segments of the service's own addresses, and "mine", because of /api/v4/projects/mine.
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

/**
 * Whether a text is a valid project path. A number alone is not: in /api/v4/projects/12 it is an
 * id.
 */
export function isProjectPath(text: string): boolean {
  if (text.length > maxLength || /^\d+$/.test(text)) return false;
  const segments = text.split('/');
  return segments.every((part) => segment.test(part)) && !reserved.has(segments[0]?.toLowerCase() ?? '');
}
