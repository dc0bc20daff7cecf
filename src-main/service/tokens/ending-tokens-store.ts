import type { Database } from '../database/port/database.ts';
import { read } from '../database/port/query.ts';
import type { TokenRow } from './token-rows.ts';

export type EndingToken = Pick<TokenRow, 'id' | 'user_id' | 'name' | 'created_at'> & { readonly expires_at: number };

export interface EndingTokensStore {
  /** Tokens of users who may sign in that expire between two times, the next to expire first. */
  between(from: number, until: number, limit: number): Promise<readonly EndingToken[]>;
}

const between = read<[number, number, number], EndingToken>(
  // As in the index.
  `SELECT token.id, user_id, token.name, token.created_at, expires_at FROM personal_access_tokens AS token
     JOIN users ON users.id = user_id AND users.state = 'active'
   WHERE ifnull(expires_at, 9007199254740991) > ? AND ifnull(expires_at, 9007199254740991) <= ? AND revoked_at IS NULL
   ORDER BY ifnull(expires_at, 9007199254740991), token.id LIMIT ?`,
);

/** Tokens that will expire. */
export function endingTokensStore(database: Database): EndingTokensStore {
  return { between: async (from, until, limit) => database.all(between, from, until, limit) };
}
