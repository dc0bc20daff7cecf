import type Database from 'better-sqlite3';

export interface SourceMapRow {
  readonly id: number;
  readonly release: string | null;
  readonly debug_id: string | null;
  readonly name: string;
  readonly uploaded_at: number;
  readonly size: number;
}

export interface NewSourceMap {
  readonly projectId: number;
  readonly release: string | null;
  readonly debugId: string | null;
  readonly name: string;
  readonly uploadedAt: number;
  /** Bytes of the text before compression. */
  readonly size: number;
  readonly content: Buffer;
}

export interface SourceMapsStore {
  /** Adds a map, or replaces the one with this name, release and debug id. */
  put(map: NewSourceMap): Promise<SourceMapRow>;
  /** Returns the newest maps first. */
  list(projectId: number, limit: number): Promise<readonly SourceMapRow[]>;
  remove(projectId: number, ids: readonly number[]): Promise<void>;
  byDebugId(projectId: number, debugId: string): Promise<number | null>;
  /**
   * Returns a map with one of the names, for the release or for no release; the latest upload if
   * several match.
   */
  byName(projectId: number, release: string | null, names: readonly string[]): Promise<number | null>;
  content(id: number): Promise<Buffer | null>;
  /** Removes the oldest maps of a project beyond a number and a total size. */
  removeOldest(projectId: number, maxMaps: number, maxBytes: number): Promise<void>;
  /** Whether the project has source maps: most have none, and their events need no lookup. */
  any(projectId: number): Promise<boolean>;
}

/** Source maps of projects in SQLite. */
export function sourceMapsStore(database: Database.Database): SourceMapsStore {
  const columns = 'id, release, debug_id, name, uploaded_at, size';
  const remove = database.prepare<[number, string]>(
    'DELETE FROM source_maps WHERE project_id = ? AND id IN (SELECT value FROM json_each(?))',
  );
  const replaced = database.prepare<[number, string | null, string, string | null]>(
    `DELETE FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND name = ? AND debug_id IS ?`,
  );
  const insert = database.prepare<[number, string | null, string | null, string, number, number, Buffer], SourceMapRow>(
    `INSERT INTO source_maps (project_id, release, debug_id, name, uploaded_at, size, content) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  // The replacement gets a new id, because parsed maps are cached by id.
  const put = database.transaction((map: NewSourceMap) => {
    replaced.run(map.projectId, map.release, map.name, map.debugId);
    return insert.get(map.projectId, map.release, map.debugId, map.name, map.uploadedAt, map.size, map.content);
  });
  const list = database.prepare<[number, number], SourceMapRow>(
    `SELECT ${columns} FROM source_maps WHERE project_id = ? ORDER BY id DESC LIMIT ?`,
  );
  const byDebugId = database
    .prepare<[number, string], number>(
      'SELECT id FROM source_maps WHERE project_id = ? AND debug_id = ? ORDER BY id DESC LIMIT 1',
    )
    .pluck();
  const byName = database
    .prepare<[number, string | null, string], number>(
      `SELECT id FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND name IN (SELECT value FROM json_each(?))
       ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const content = database.prepare<[number], Buffer>('SELECT content FROM source_maps WHERE id = ?').pluck();
  const removeOldest = database.prepare<[{ project: number; maps: number; bytes: number }]>(
    `DELETE FROM source_maps WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS bytes FROM source_maps WHERE project_id = @project WINDOW newest AS (ORDER BY id DESC)
       ) WHERE place > @maps OR bytes > @bytes)`,
  );
  const any = database.prepare<[number], number>('SELECT 1 FROM source_maps WHERE project_id = ? LIMIT 1').pluck();
  return {
    put: async (map) => {
      const row = put.immediate(map);
      if (!row) throw new Error('INSERT ... RETURNING gave no row');
      return row;
    },
    list: async (projectId, limit) => list.all(projectId, limit),
    remove: async (projectId, ids) => void remove.run(projectId, JSON.stringify(ids)),
    byDebugId: async (projectId, debugId) => byDebugId.get(projectId, debugId) ?? null,
    byName: async (projectId, release, names) => byName.get(projectId, release, JSON.stringify(names)) ?? null,
    content: async (id) => content.get(id) ?? null,
    removeOldest: async (project, maps, bytes) => void removeOldest.run({ project, maps, bytes }),
    any: async (projectId) => any.get(projectId) !== undefined,
  };
}
