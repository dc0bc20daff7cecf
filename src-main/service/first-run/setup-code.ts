import { sameText } from '../http/csrf.ts';

/**
 * The code of a headless first run: whoever can read the terminal may create the first account in a
 * browser.
 */
export interface SetupCode {
  readonly value: string;
  /** Whether a code is correct; compares in constant time. */
  holds(code: string): boolean;
}

/**
 * The code of an installation, derived from its secret: replicas print the same one, each accepts it
 * without asking another, and a restart keeps it. It is useless once an account exists.
 *
 * @param key of 32 bytes.
 */
export function setupCodeOf(key: Buffer): SetupCode {
  const value = key.toString('hex').slice(0, 32);
  return { value, holds: (code) => sameText(code, value) };
}
