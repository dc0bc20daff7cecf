import type Database from 'better-sqlite3';

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

/** Uploaded chunks in SQLite. */
export function chunksStore(database: Database.Database): ChunksStore {
  const put = database.prepare<[number, string, number, number, Buffer]>(
    `INSERT INTO upload_chunks (user_id, digest, uploaded_at, size, content) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, digest) DO UPDATE SET uploaded_at = excluded.uploaded_at`,
  );
  const missing = database
    .prepare<[string, number], string>(
      `SELECT DISTINCT value FROM json_each(?) AS wanted
       WHERE NOT EXISTS (SELECT 1 FROM upload_chunks WHERE user_id = ? AND digest = wanted.value)`,
    )
    .pluck();
  const read = database
    .prepare<[number, string], Buffer>('SELECT content FROM upload_chunks WHERE user_id = ? AND digest = ?')
    .pluck();
  const own = database
    .prepare<[number], number>('SELECT ifnull(sum(size), 0) FROM upload_chunks WHERE user_id = ?')
    .pluck();
  const all = database.prepare<[], number>('SELECT ifnull(sum(size), 0) FROM upload_chunks').pluck();
  const remove = database.prepare<[number, string]>(
    'DELETE FROM upload_chunks WHERE user_id = ? AND digest IN (SELECT value FROM json_each(?))',
  );
  const removeOlder = database.prepare<[number, number]>(
    'DELETE FROM upload_chunks WHERE rowid IN (SELECT rowid FROM upload_chunks WHERE uploaded_at < ? LIMIT ?)',
  );
  return {
    put: async (userId, digest, content, now) => void put.run(userId, digest, now, content.length, content),
    missing: async (userId, digests) => missing.all(JSON.stringify(digests), userId),
    read: async (userId, digest) => read.get(userId, digest) ?? null,
    waiting: async (userId) => ({ own: own.get(userId) ?? 0, all: all.get() ?? 0 }),
    remove: async (userId, digests) => void remove.run(userId, JSON.stringify(digests)),
    removeOlder: async (before) => removeOlder.run(before, chunksDeletedPerStep).changes === chunksDeletedPerStep,
  };
}
