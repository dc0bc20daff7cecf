import { HttpProblem } from '../../common/problem.ts';
import { normalised } from '../../secrets/passwords.ts';
import { weaknessText } from './weakness-text.ts';
import type { ServiceContext } from '../../http/service-context.ts';

const minLength = 8;
const maxLength = 128;
/**
 * The limits of sign-in allow some 440,000 guesses a year over new networks (`sign-in-failures-store`),
 * so a password that takes a million is out of reach. A stricter rule would refuse much and, as NIST
 * SP 800-63B section 3.1.1.2 says of long lists, protect little more.
 */
const minGuesses = 1_000_000;
/** Words that anybody would try here. */
const wordsOfTheProduct = ['benchport', 'bench', 'measurement', 'laboratory', 'workstation'];

/** Names that a password must not consist of. */
export interface PasswordOwner {
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
}

/**
 * Enforces the password rules of NIST SP 800-63B section 3.1.1.2: minimum length, no composition
 * rules, nothing that is commonly used or expected. Passwords are never truncated.
 *
 * @throws HttpProblem 400 that says what is wrong.
 */
export async function requireGoodPassword(
  { passwords }: Pick<ServiceContext, 'passwords'>,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  // Counts Unicode code points of the normalized form, which is the one that is hashed.
  const text = normalised(password);
  const { length } = Array.from(text);
  if (length < minLength || length > maxLength)
    throw refused(`A password has ${minLength} to ${maxLength} characters.`);
  const { guesses, warning } = await passwords.strength(undecorated(text), expectedWords(owner));
  if (guesses >= minGuesses) return;
  const weakness = weaknessText(warning);
  throw refused(
    `This password is too easy to guess${weakness === null ? '' : `: ${weakness}`}. ` +
      'Choose a longer one, such as four unrelated words.',
  );
}

/**
 * A password without what everybody adds to a word: up to two signs at its end, or a space after
 * each letter. The estimate takes these for random.
 */
function undecorated(password: string): string {
  const spelled = /^\S(?:\s\S)+$/u.test(password) ? password.replaceAll(/\s/gu, '') : password;
  return spelled.replace(/[^\p{L}\p{N}]{1,2}$/u, '');
}

function expectedWords({ username, name, email }: PasswordOwner): readonly string[] {
  const whole = [username, name, email ?? ''].map((text) => text.toLowerCase());
  const parts = whole.flatMap((text) => [text.replaceAll(/\s/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set([...wordsOfTheProduct, ...whole, ...parts])].filter((word) => word.length >= 3);
}

function refused(detail: string): HttpProblem {
  return new HttpProblem(400, detail, { type: 'password-refused' });
}
