import { HttpProblem } from '../common/problem.ts';
import { createWorkerClient } from '../workers/worker-client.ts';
import { workerFile } from '../workers/worker-file.ts';

export interface PasswordStrength {
  /** How many passwords somebody tries before this one who knows people's habits and `words`. */
  readonly guesses: number;
  /** The library's name of the weakness, such as `dates`; null if there is none to name. */
  readonly warning: string | null;
}

/** The methods of the worker. */
export interface StrengthMethods {
  check(password: string, words: readonly string[]): PasswordStrength;
}

export interface PasswordStrengths {
  /**
   * @param password at most a few hundred characters.
   * @param words that guessers of this password would try, such as the name of its user.
   */
  of(password: string, words: readonly string[]): Promise<PasswordStrength>;
  close(): Promise<void>;
}

const idleMs = 10_000;
const maxHeapMb = 128;

/**
 * Estimates passwords in a worker thread: the word lists take a fifth of a second to load and 60
 * megabytes, and a password made to be slow takes a tenth of a second.
 */
export function passwordStrengths(): PasswordStrengths {
  const file = workerFile(import.meta.url, 'password-strength-worker');
  const thread = createWorkerClient<StrengthMethods>({ file, name: 'password-strength', maxHeapMb, idleMs }, {});
  return {
    of: async (password, words) => thread.call('check', [password, words]),
    close: async () => thread.close(new HttpProblem(503, 'The service is stopping.')),
  };
}
