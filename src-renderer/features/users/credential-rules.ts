/** The shortest password that the service takes. */
export const minPasswordLength = 8;

const usernamePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/;

/** What is wrong with a user name, if anything is. */
export function problemOfUsername(username: string): string | null {
  return usernamePattern.test(username)
    ? null
    : 'Only a to z, digits, dots, hyphens and underscores; no spaces, no umlauts.';
}
