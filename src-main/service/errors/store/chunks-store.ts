import type { Database } from '../../database/port/database.ts';
import { inTexts, textsOf } from '../../database/port/dialect.ts';
import { readValue, write } from '../../database/port/query.ts';

/** Uploaded chunks waiting to be assembled. They belong to the user who uploaded them. */
export interface ChunksStore {
  /** Adds a chunk, or extends the life of one that exists. */
  put(userId: number, digest: string, content: Buffer, now: number): Promise<void>;
  /** Returns those of the digests that are not stored. */
  missing(userId: number, digests: readonly string[]): Promise<readonly string[]>;
  read(userId: number, digest: string): Promise<Buffer | null>;
  /** Returns the bytes waiting, for this user and for all. */
  waiting(userId: number): Promise<{ readonly own: number; readonly all: number }>;
  remove(userId: number, digests: readonly string[]): Promise<void>;
  /** Removes some of the chunks uploaded before a time. @returns whether there may be more. */
  removeOlder(before: number): Promise<boolean>;
}

const chunksDeletedPerStep = 32;

const put = write<[number, string, number, number, Buffer]>(
  `INSERT INTO upload_chunks (user_id, digest, uploaded_at, size, content) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT (user_id, digest) DO UPDATE SET uploaded_at = excluded.uploaded_at`,
);
const missing = readValue<[string, number], string>(
  `SELECT DISTINCT value FROM ${textsOf('?')} AS wanted
   WHERE NOT EXISTS (SELECT 1 FROM upload_chunks WHERE user_id = ? AND digest = wanted.value)`,
);
const contentOf = readValue<[number, string], Buffer>(
  'SELECT content FROM upload_chunks WHERE user_id = ? AND digest = ?',
);
const own = readValue<[number], number>('SELECT ifnull(sum(size), 0) FROM upload_chunks WHERE user_id = ?');
const all = readValue<[], number>('SELECT ifnull(sum(size), 0) FROM upload_chunks');
const remove = write<[number, string]>(`DELETE FROM upload_chunks WHERE user_id = ? AND ${inTexts('digest', '?')}`);
const removeOlder = write<[number, number]>(
  `DELETE FROM upload_chunks WHERE (user_id, digest) IN
     (SELECT user_id, digest FROM upload_chunks WHERE uploaded_at < ? LIMIT ?)`,
);

/** Uploaded chunks. */
export function chunksStore(database: Database): ChunksStore {
  return {
    put: async (userId, digest, content, now) =>
      void (await database.run(put, userId, digest, now, content.length, content)),
    missing: async (userId, digests) => database.all(missing, JSON.stringify(digests), userId),
    read: async (userId, digest) => database.one(contentOf, userId, digest),
    waiting: async (userId) => ({ own: (await database.one(own, userId)) ?? 0, all: (await database.one(all)) ?? 0 }),
    remove: async (userId, digests) => void (await database.run(remove, userId, JSON.stringify(digests))),
    removeOlder: async (before) =>
      (await database.run(removeOlder, before, chunksDeletedPerStep)) === chunksDeletedPerStep,
  };
}
