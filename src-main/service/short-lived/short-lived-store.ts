import type { Database, Transaction } from '../database/port/database.ts';
import { noLimit } from '../database/port/dialect.ts';
import { readValue, write, writeValue } from '../database/port/query.ts';
import { returning, run } from '../database/port/steps.ts';
import type { PurgeStore } from '../database/purge.ts';

export interface ShortLivedRow {
  readonly kind: string;
  readonly key: Buffer;
  readonly owner_id: number;
  readonly value: Buffer;
  /** Expiry in milliseconds since 1970. */
  readonly until: number;
}

/** Limits for the rows of one kind, in all and of one user. */
export interface ShortLivedLimits {
  readonly maxEntries: number;
  readonly maxPerOwner: number;
}

export interface ShortLivedStore extends PurgeStore {
  /** Writes a row, and removes those that end first where there are more than the limits allow. */
  put(row: ShortLivedRow, limits: ShortLivedLimits): Promise<void>;
  /** The value of an unexpired row, or null. */
  peek(kind: string, key: Buffer, now: number): Promise<Buffer | null>;
  /** Removes an unexpired row. @returns its value; null when it is missing, or taken by another. */
  take(kind: string, key: Buffer, now: number): Promise<Buffer | null>;
}

const batch = 500;
const insert = write<ShortLivedRow>(
  `INSERT INTO short_lived (kind, key, owner_id, value, until) VALUES (@kind, @key, @owner_id, @value, @until)
   ON CONFLICT (kind, key) DO UPDATE SET owner_id = excluded.owner_id, value = excluded.value, until = excluded.until`,
);
const isOver = readValue<ShortLivedLimits & Pick<ShortLivedRow, 'kind' | 'owner_id'>, number>(
  `SELECT CASE WHEN (SELECT count(*) FROM short_lived WHERE kind = @kind AND owner_id = @owner_id) > @maxPerOwner
     OR (SELECT count(*) FROM short_lived WHERE kind = @kind) > @maxEntries THEN 1 ELSE 0 END`,
);
const trimOwners = write<{ kind: string; maxPerOwner: number }>(
  `DELETE FROM short_lived WHERE kind = @kind AND key IN (SELECT key FROM
     (SELECT key, row_number() OVER (PARTITION BY owner_id ORDER BY until DESC) AS place FROM short_lived WHERE kind = @kind) AS ranked
     WHERE place > @maxPerOwner)`,
);
const trimAll = write<{ kind: string; maxEntries: number }>(
  `DELETE FROM short_lived WHERE kind = @kind AND key IN
     (SELECT key FROM short_lived WHERE kind = @kind ORDER BY until DESC ${noLimit} OFFSET @maxEntries)`,
);
const peek = readValue<[string, Buffer, number], Buffer>(
  'SELECT value FROM short_lived WHERE kind = ? AND key = ? AND until > ?',
);
const take = writeValue<[string, Buffer, number], Buffer>(
  'DELETE FROM short_lived WHERE kind = ? AND key = ? AND until > ? RETURNING value',
);
const purge = write<[number, number]>(
  `DELETE FROM short_lived WHERE (kind, key) IN (SELECT kind, key FROM short_lived WHERE until <= ? ORDER BY until LIMIT ?)`,
);

// Every user first: rows of a flood that is under way must not evict those of others.
function* trim(kind: string, { maxEntries, maxPerOwner }: ShortLivedLimits): Transaction<void> {
  yield* run(trimOwners, { kind, maxPerOwner });
  yield* run(trimAll, { kind, maxEntries });
}

/**
 * Rows that live for minutes. No write waits for the disk: after a power cut a user repeats a step.
 */
export function shortLivedStore(database: Database): ShortLivedStore {
  return {
    put: async (row, limits) => {
      const { kind, owner_id } = row;
      await database.relaxed(() => run(insert, row));
      // Read apart from writing: on PostgreSQL a transaction that did both would conflict with every
      // other one that puts a row.
      if ((await database.one(isOver, { kind, owner_id, ...limits })) === 1)
        await database.relaxed(() => trim(kind, limits));
    },
    peek: async (kind, key, now) => database.one(peek, kind, key, now),
    take: async (kind, key, now) => database.relaxed(() => returning(take, kind, key, now)),
    purgeSome: async (now) => (await database.relaxed(() => run(purge, now, batch))) === batch,
  };
}
