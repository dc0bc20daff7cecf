import type { ErrorStatus } from '../../../contract/errors.ts';
import { HttpProblem } from '../../../common/problem.ts';

/**
 * Parsed content of the search field: all conditions must hold, but of several `is:` one is
 * sufficient.
 */
export interface ErrorSearch {
  readonly statuses: readonly ErrorStatus[];
  /** Levels of the error's newest event. */
  readonly levels: readonly string[];
  readonly tags: readonly (readonly [tag: string, value: string])[];
  readonly words: readonly string[];
}

const statuses: readonly ErrorStatus[] = ['unresolved', 'resolved', 'ignored'];
// A part is a quoted text, or extends to the next space; the value of a filter may be quoted.
const part = /([A-Za-z_][\w.-]{0,199}):"([^"]*)"|"([^"]*)"|(\S+)/g;
const filter = /^([A-Za-z_][\w.-]{0,199}):(?!\/\/)(.+)$/;
const maxParts = 20;

/**
 * Parses `is:`, `level:`, `TAG:VALUE` and words. Texts that only resemble a filter are searched as
 * words: `TypeError:` has no value, and `https://...` is an address.
 *
 * @throws HttpProblem 400 for an unknown status, or for more than `maxParts` parts.
 */
export function readErrorSearch(text: string): ErrorSearch {
  const found: { statuses: Set<ErrorStatus>; levels: string[]; tags: [string, string][]; words: string[] } = {
    statuses: new Set(),
    levels: [],
    tags: [],
    words: [],
  };
  const parts = [...text.matchAll(part)];
  if (parts.length > maxParts)
    throw new HttpProblem(400, `A search may have at most ${maxParts} parts.`, { type: 'invalid-request' });
  for (const [, quotedName, quotedValue, quoted, plain] of parts) {
    const [, name = quotedName, value = quotedValue] = filter.exec(plain ?? '') ?? [];
    if (name === undefined || value === undefined) found.words.push(quoted ?? plain ?? '');
    else if (name === 'is') found.statuses.add(statusOf(value));
    else if (name === 'level') found.levels.push(value.toLowerCase());
    else found.tags.push([name, value]);
  }
  return {
    ...found,
    statuses: found.statuses.size === 0 ? ['unresolved'] : [...found.statuses],
    words: found.words.filter((word) => word !== ''),
  };
}

function statusOf(value: string): ErrorStatus {
  const status = statuses.find((one) => one === value.toLowerCase());
  if (status === undefined)
    throw new HttpProblem(400, 'After "is:" comes unresolved, resolved or ignored.', { type: 'invalid-request' });
  return status;
}
