/** Visible ASCII; other characters are not allowed in a header. */
export const tokenForm = /^[\x21-\x7e]{1,500}$/;

/**
 * Whether a token is the row of asterisks with which GitLab's screen asks to keep the stored one.
 */
export function isMasked(token: string): boolean {
  return /^\**$/.test(token);
}

/** The purpose that the token of an external server is sealed for: one project and one origin. */
export function tokenPurpose(projectId: number, origin: string): string {
  return `sentry-token:${projectId}:${origin}`;
}
