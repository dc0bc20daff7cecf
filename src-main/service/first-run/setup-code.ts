import { randomBytes } from 'node:crypto';
import { sameText } from '../http/csrf.ts';

/**
 * The one-time code of a headless first run: whoever can read the terminal may create the first
 * account in a browser.
 */
export interface SetupCode {
  readonly value: string;
  /** Whether a code is correct; compares in constant time. */
  holds(code: string): boolean;
}

/** Creates a code for this start of the service; it is useless once an account exists. */
export function newSetupCode(): SetupCode {
  const value = randomBytes(16).toString('hex');
  return { value, holds: (code) => sameText(code, value) };
}
