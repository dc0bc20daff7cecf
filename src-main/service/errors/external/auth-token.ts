/** Visible ASCII: anything else cannot stand in a header. */
export const tokenForm = /^[\x21-\x7e]{1,500}$/;

/** Whether a token is the row of asterisks that GitLab's screen sends for "keep the one you have". */
export function isMasked(token: string): boolean {
  return /^\**$/.test(token);
}

/** What the token of an external server is sealed for: one project and one origin. */
export function tokenPurpose(projectId: number, origin: string): string {
  return `sentry-token:${projectId}:${origin}`;
}
