import { hasUnseen } from '../../common/unseen-characters.ts';
import { invalidRequest } from '../../common/problem.ts';

/**
 * Refuses control and invisible characters in a new title or name: it could pass for another one,
 * and a terminal would execute control sequences.
 *
 * @param what the subject of the error text, such as "The title".
 * @param before the previous value; keeping it is allowed, because older data may have such
 * characters.
 * @throws HttpProblem 400.
 */
export function requireReadable(what: string, text: string, before?: string): void {
  if (text !== before && hasUnseen(text))
    throw invalidRequest(`${what} has invisible characters, such as line breaks or direction marks. Leave them out.`);
}
