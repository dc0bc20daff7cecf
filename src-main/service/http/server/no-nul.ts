import { HttpProblem } from '../../common/problem.ts';

/**
 * Whether a JSON text contains the character NUL, which PostgreSQL cannot store (PostgreSQL,
 * "Character Types"); refused with SQLite too, so that data can move from one to the other.
 */
export function hasNul(json: string): boolean {
  // An even number of backslashes before it makes it an ordinary text.
  return json.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(json);
}

export function nulProblem(): HttpProblem {
  return new HttpProblem(400, 'The request contains the character NUL (U+0000), which cannot be stored.', {
    type: 'invalid-request',
  });
}
