/** Minimum length of a password in the service. */
export const minPasswordLength = 8;

const usernamePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/;

/** The error in a user name, or null. */
export function problemOfUsername(username: string): string | null {
  return usernamePattern.test(username)
    ? null
    : 'Only a to z, digits, dots, hyphens and underscores; no spaces, no umlauts.';
}
