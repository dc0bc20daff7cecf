import { HttpProblem } from '../../common/problem.ts';
import { isCommonPassword } from './common-passwords.ts';
import { normalised } from '../../secrets/passwords.ts';

const minLength = 8;
const maxLength = 128;

/** The names that a password must not be made of. */
export interface PasswordOwner {
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
}

/**
 * Demands a password that is worth having (NIST SP 800-63B section 3.1.1.2: a length, no rules about kinds of characters, no well-known ones).
 * Nothing of it is ever cut off.
 *
 * @throws HttpProblem 400 that says what is wrong with it.
 */
export function requireGoodPassword(password: string, owner: PasswordOwner): void {
  // Characters as Unicode counts them, in the form that is hashed.
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
