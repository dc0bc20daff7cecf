import type { Database, Transaction } from '../../database/port/database.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { QueryCache } from '../../database/query-cache.ts';

export interface ClientKeyRow {
  readonly id: number;
  readonly project_id: number;
  readonly public_key: string;
  readonly active: 0 | 1;
  readonly created_at: number;
  readonly last_used_at: number | null;
  /** Number of events stored with this key. */
  readonly events: number;
}

/** The fields of a key that ingestion needs. */
export interface KnownClientKey {
  readonly id: number;
  readonly projectId: number;
  readonly active: boolean;
  /**
   * Whether the project accepts errors: Monitor and error tracking are on, and the backend is the
   * integrated one.
   */
  readonly projectActive: boolean;
}

export interface ClientKeysStore {
  create(projectId: number, publicKey: string): Promise<ClientKeyRow>;
  /** @returns the key, or null if the project already has one. */
  createFirst(projectId: number, publicKey: string): Promise<ClientKeyRow | null>;
  /** Returns one page, oldest first, and the total. */
  page(
    projectId: number,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly ClientKeyRow[]; readonly total: number }>;
  /** @returns the removed key, or null when the project has no such key. */
  remove(projectId: number, id: number): Promise<ClientKeyRow | null>;
  byId(id: number): Promise<ClientKeyRow | null>;
  /** Cached until a change in the database could affect the result. */
  byPublicKey(publicKey: string): Promise<KnownClientKey | null>;
}

// More keys than installations have.
const capacity = 1000;

const insert = write<[number, string, number], ClientKeyRow>(
  'INSERT INTO client_keys (project_id, public_key, created_at) VALUES (?, ?, ?) RETURNING *',
);
const insertFirst = write<{ project: number; key: string; at: number }, ClientKeyRow>(
  `INSERT INTO client_keys (project_id, public_key, created_at)
   SELECT CAST(@project AS bigint), @key, CAST(@at AS bigint) WHERE NOT EXISTS (SELECT 1 FROM client_keys WHERE project_id = CAST(@project AS bigint)) RETURNING *`,
);
const page = read<[number, number, number], ClientKeyRow>(
  'SELECT * FROM client_keys WHERE project_id = ? ORDER BY id LIMIT ? OFFSET ?',
);
const count = readValue<[number], number>('SELECT count(*) FROM client_keys WHERE project_id = ?');
const remove = write<[number, number], ClientKeyRow>(
  'DELETE FROM client_keys WHERE project_id = ? AND id = ? RETURNING *',
);
const byId = read<[number], ClientKeyRow>('SELECT * FROM client_keys WHERE id = ?');
const byPublicKey = read<[string], { id: number; project: number; active: number; taking: number }>(
  `SELECT client_keys.id, client_keys.project_id AS project, client_keys.active,
     monitor = 1 AND coalesce(settings.active = 1 AND settings.integrated = 1, FALSE) AS taking
   FROM client_keys JOIN projects ON projects.id = client_keys.project_id
     LEFT JOIN error_tracking_settings AS settings ON settings.project_id = projects.id WHERE public_key = ?`,
);

/** Client keys. */
export function clientKeysStore(database: Database, changes: ChangeCounter): ClientKeysStore {
  const known = new QueryCache<KnownClientKey>(changes, capacity);

  return {
    create: async (projectId, publicKey) => {
      const row = await database.returning(insert, projectId, publicKey, Date.now());
      if (!row) throw new Error('the key was not written');
      return row;
    },
    createFirst: async (projectId, publicKey) =>
      database.returning(insertFirst, { project: projectId, key: publicKey, at: Date.now() }),
    page: async (projectId, limit, offset) => ({
      rows: await database.all(page, projectId, limit, offset),
      total: (await database.one(count, projectId)) ?? 0,
    }),
    remove: async (projectId, id) => database.returning(remove, projectId, id),
    byId: async (id) => database.one(byId, id),
    byPublicKey: async (publicKey) =>
      known.find(publicKey, async () => {
        const row = await database.one(byPublicKey, publicKey);
        return row
          ? { id: row.id, projectId: row.project, active: row.active === 1, projectActive: row.taking === 1 }
          : null;
      }),
  };
}

const update = write<[number, number, number]>(
  'UPDATE client_keys SET events = events + ?, last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?',
);

/** Counts the events of a key within another store's transaction. */
export function* countKeyUse(id: number, events: number, at: number): Transaction<void> {
  yield* run(update, events, at, id);
}
