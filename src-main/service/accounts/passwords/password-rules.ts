import { HttpProblem } from '../../common/problem.ts';
import { isCommonPassword } from './common-passwords.ts';
import { normalised } from '../../secrets/passwords.ts';

const minLength = 8;
const maxLength = 128;

/** Names that a password must not consist of. */
export interface PasswordOwner {
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
}

/**
 * Enforces the password rules of NIST SP 800-63B section 3.1.1.2: minimum length, no composition
 * rules, no common passwords. Passwords are never truncated.
 *
 * @throws HttpProblem 400 that says what is wrong.
 */
export function requireGoodPassword(password: string, owner: PasswordOwner): void {
  // Counts Unicode code points of the normalized form, which is the one that is hashed.
  const { length } = Array.from(normalised(password));
  if (length < minLength || length > maxLength)
    throw refused(`A password has ${minLength} to ${maxLength} characters.`);
  const names = [
    owner.username,
    owner.name,
    ...owner.name.split(/\s+/),
    owner.email ?? '',
    (owner.email ?? '').split('@', 1)[0] ?? '',
  ];
  if (isCommonPassword(normalised(password), names)) {
    throw refused('This password is too easy to guess. Choose a longer one, such as four unrelated words.');
  }
}

function refused(detail: string): HttpProblem {
  return new HttpProblem(400, detail, { type: 'password-refused' });
}
