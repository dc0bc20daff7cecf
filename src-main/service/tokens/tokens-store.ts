import type { Database, Transaction } from '../database/port/database.ts';
import { inNumbers, lockingRows, perEngine, rowsOf } from '../database/port/dialect.ts';
import { read, write } from '../database/port/query.ts';
import { all, returning, run, runRows } from '../database/port/steps.ts';
import { foldedKey } from '../database/text-search.ts';
import { addressesAfter } from './token-addresses.ts';
import { tokenColumns, tokenList } from './token-list-store.ts';
import type { TokenLists, TokenRow } from './token-rows.ts';

/** The columns for a credential check, in one row. */
export interface TokenWithUser {
  readonly id: number;
  readonly scopes: string;
  readonly expires_at: number | null;
  readonly user_id: number;
  readonly username: string;
  readonly is_admin: 0 | 1;
}

export interface NewTokenRow {
  readonly userId: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly tokenHash: Buffer;
  readonly expiresAt: number | null;
}

export interface TokenUse {
  readonly tokenId: number;
  readonly at: number;
  readonly address: string | null;
}

export interface TokensStore extends TokenLists {
  create(token: NewTokenRow): Promise<TokenRow>;
  /**
   * Ends a token and creates its replacement, of the same family.
   *
   * @returns null when it was revoked already.
   */
  rotate(id: number, next: { readonly tokenHash: Buffer; readonly expiresAt: number }): Promise<TokenRow | null>;
  /** The token of an active user, if it is neither revoked nor expired. */
  usable(tokenHash: Buffer, now: number): Promise<TokenWithUser | null>;
  byId(id: number): Promise<TokenRow | null>;
  /** In any state. */
  byHash(tokenHash: Buffer): Promise<TokenRow | null>;
  ofUser(userId: number): Promise<readonly TokenRow[]>;
  all(): Promise<readonly TokenRow[]>;
  /** @returns whether it existed and was not revoked before. */
  revoke(id: number): Promise<boolean>;
  /**
   * Revokes the remaining tokens of a family.
   *
   * @returns their number.
   */
  revokeFamily(familyId: number): Promise<number>;
  recordUse(uses: readonly TokenUse[]): Promise<void>;
}

const insert = write<[number, string, string, string, string, Buffer, number, number | null, number | null], TokenRow>(
  `INSERT INTO personal_access_tokens (user_id, name, name_key, description, scopes, token_hash, created_at, expires_at, family_id)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${tokenColumns}`,
);
// A family has the id of its first token, which is known only after the insert.
const foundFamily = write<[number]>('UPDATE personal_access_tokens SET family_id = id WHERE id = ?');
const endByRotation = write<{ id: number; now: number }, TokenRow>(
  `UPDATE personal_access_tokens SET revoked_at = @now, rotated_at = @now WHERE id = @id AND revoked_at IS NULL RETURNING ${tokenColumns}`,
);
const usable = read<[Buffer, number], TokenWithUser>(
  `SELECT token.id, token.scopes, token.expires_at, user_id, username, is_admin
   FROM personal_access_tokens AS token JOIN users ON users.id = user_id AND users.state = 'active'
   WHERE token_hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
);
const byId = read<[number], TokenRow>(`SELECT ${tokenColumns} FROM personal_access_tokens WHERE id = ?`);
const byHash = read<[Buffer], TokenRow>(`SELECT ${tokenColumns} FROM personal_access_tokens WHERE token_hash = ?`);
const ofUser = read<[number], TokenRow>(
  `SELECT ${tokenColumns} FROM personal_access_tokens WHERE user_id = ? ORDER BY id DESC`,
);
const allTokens = read<[], TokenRow>(`SELECT ${tokenColumns} FROM personal_access_tokens ORDER BY id DESC`);
const revoke = write<[number, number]>(
  'UPDATE personal_access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
);
const revokeFamily = write<[number, number]>(
  'UPDATE personal_access_tokens SET revoked_at = ? WHERE family_id = ? AND revoked_at IS NULL',
);
const lastUses = read<[string], { id: number; at: number; addresses: string | null }>(
  `SELECT id, coalesce(last_used_at, 0) AS at, last_used_address AS addresses FROM personal_access_tokens WHERE ${inNumbers('id', '?')} ORDER BY id ${lockingRows}`,
);
const use = write<{ id: number; at: number; addresses: string | null }>(
  perEngine(
    'UPDATE personal_access_tokens SET last_used_at = max(ifnull(last_used_at, 0), @at), last_used_address = @addresses WHERE id = @id',
    `UPDATE personal_access_tokens SET last_used_at = greatest(last_used_at, x.at), last_used_address = x.addresses
     FROM ${rowsOf('@rows', 'id bigint, at bigint, addresses text')} WHERE personal_access_tokens.id = x.id`,
  ),
);

function* create(token: NewTokenRow): Transaction<TokenRow> {
  const row = yield* returning(
    insert,
    token.userId,
    token.name,
    foldedKey(token.name),
    token.description,
    token.scopes.join(' '),
    token.tokenHash,
    Date.now(),
    token.expiresAt,
    null,
  );
  if (!row) throw new Error('INSERT ... RETURNING gave no row');
  yield* run(foundFamily, row.id);
  return row;
}

function* rotate(id: number, tokenHash: Buffer, expiresAt: number): Transaction<TokenRow | null> {
  const now = Date.now();
  const old = yield* returning(endByRotation, { id, now });
  if (!old) return null;
  return yield* returning(
    insert,
    old.user_id,
    old.name,
    foldedKey(old.name),
    old.description,
    old.scopes,
    tokenHash,
    now,
    expiresAt,
    old.family_id,
  );
}

function* useAll(uses: readonly TokenUse[]): Transaction<void> {
  const rows = yield* all(lastUses, JSON.stringify(uses.map(({ tokenId }) => tokenId)));
  const after = new Map(rows.map((row) => [row.id, row]));
  for (const { tokenId, at, address } of uses) {
    const row = after.get(tokenId);
    if (!row) continue;
    const addresses = addressesAfter(row.addresses, address, row.at > at);
    after.set(tokenId, { ...row, at: Math.max(row.at, at), addresses });
  }
  yield* runRows(use, [...after.values()]);
}

/** Personal access tokens; only the SHA-256 of a token is stored. */
export function tokensStore(database: Database): TokensStore {
  const recordUses = database.batched(function* (some: readonly (readonly TokenUse[])[]) {
    yield* useAll(some.flat());
    return some.map(() => null);
  });
  return {
    create: async (token) => database.transaction(() => create(token)),
    rotate: async (id, next) => database.transaction(() => rotate(id, next.tokenHash, next.expiresAt)),
    usable: async (tokenHash, now) => database.one(usable, tokenHash, now),
    byId: async (id) => database.one(byId, id),
    byHash: async (tokenHash) => database.one(byHash, tokenHash),
    ofUser: async (userId) => database.all(ofUser, userId),
    all: async () => database.all(allTokens),
    list: tokenList(database),
    revoke: async (id) => (await database.run(revoke, Date.now(), id)) > 0,
    revokeFamily: async (familyId) => database.run(revokeFamily, Date.now(), familyId),
    recordUse: async (uses) => void (await recordUses(uses)),
  };
}
