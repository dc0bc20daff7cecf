import { hasUnseen } from '../../common/unseen-characters.ts';
import { invalidRequest } from '../../common/problem.ts';

/**
 * Refuses control characters and others that cannot be seen in a new title or name: it would look like another one, and a terminal would obey it.
 *
 * @param what as the answer calls it, such as "The title".
 * @param before what it was; kept, it is not refused, because older data may have such characters.
 * @throws HttpProblem 400.
 */
export function requireReadable(what: string, text: string, before?: string): void {
  if (text !== before && hasUnseen(text))
    throw invalidRequest(`${what} has invisible characters, such as line breaks or direction marks. Leave them out.`);
}
