import { hash, verify } from '@node-rs/argon2';
import { passwordStrengths, type PasswordStrength } from './password-strength.ts';
import { WorkQueue } from './work-queue.ts';

// Argon2id with 19 MiB, 2 passes, 1 lane: OWASP's Password Storage Cheat Sheet. The library runs it
// on the thread pool that also reads files.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Two of the pool's four threads are left for files. A full queue takes about two seconds.
const concurrency = 2;
const maxQueued = 128;

/** Hashes and verifies passwords, never more than two at once in this process, and estimates new ones. */
export interface Passwords {
  /** @returns the PHC string, argon2id. */
  hash(password: string): Promise<string>;
  /**
   * Whether a password is right. A missing user, or one without a password, costs the time of a
   * wrong password: the time of an answer must not reveal which user names exist.
   */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
  /**
   * Estimates how easily a password is guessed.
   *
   * @param words that guessers would try, such as the name of its user.
   */
  strength(password: string, words: readonly string[]): Promise<PasswordStrength>;
  close(): Promise<void>;
}

/** Makes the one queue of this process for passwords, shared because the queue bounds the work. */
export function passwords(): Passwords {
  const queue = new WorkQueue(concurrency, maxQueued);
  const strengths = passwordStrengths();
  let decoy: Promise<string> | undefined;
  return {
    hash: async (password) => queue.run(() => hash(normalised(password), parameters)),
    verify: async (passwordHash, password) => {
      decoy ??= hash('no such user', parameters);
      const stand = await decoy;
      const fits = await queue.run(() => verify(passwordHash ?? stand, normalised(password)));
      return fits && passwordHash !== null;
    },
    strength: async (password, words) => strengths.of(password, words),
    close: async () => strengths.close(),
  };
}

/**
 * Unicode-normalised: systems differ in whether they compose typed characters (RFC 8265 section
 * 4.2: OpaqueString uses NFC).
 */
export function normalised(password: string): string {
  return password.normalize('NFC');
}
