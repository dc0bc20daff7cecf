import type { Database, Transaction } from '../../database/port/database.ts';
import { inNumbers, inTexts, isSame } from '../../database/port/dialect.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { returning, run } from '../../database/port/steps.ts';

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

const columns = 'id, release, debug_id, name, uploaded_at, size';

const remove = write<[number, string]>(`DELETE FROM source_maps WHERE project_id = ? AND ${inNumbers('id', '?')}`);
const replaced = write<[number, string | null, string, string | null]>(
  `DELETE FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND name = ? AND ${isSame('debug_id', '?')}`,
);
const insert = write<[number, string | null, string | null, string, number, number, Buffer], SourceMapRow>(
  `INSERT INTO source_maps (project_id, release, debug_id, name, uploaded_at, size, content) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
);
const list = read<[number, number], SourceMapRow>(
  `SELECT ${columns} FROM source_maps WHERE project_id = ? ORDER BY id DESC LIMIT ?`,
);
const byDebugId = readValue<[number, string], number>(
  'SELECT id FROM source_maps WHERE project_id = ? AND debug_id = ? ORDER BY id DESC LIMIT 1',
);
const byName = readValue<[number, string | null, string], number>(
  `SELECT id FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND ${inTexts('name', '?')}
     ORDER BY id DESC LIMIT 1`,
);
const content = readValue<[number], Buffer>('SELECT content FROM source_maps WHERE id = ?');
const removeOldest = write<{ project: number; maps: number; bytes: number }>(
  `DELETE FROM source_maps WHERE id IN (
     SELECT id FROM (
       SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS bytes FROM source_maps WHERE project_id = @project WINDOW newest AS (ORDER BY id DESC)
     ) AS placed WHERE place > @maps OR bytes > @bytes)`,
);
const any = readValue<[number], number>('SELECT 1 FROM source_maps WHERE project_id = ? LIMIT 1');

/** Source maps of projects. */
export function sourceMapsStore(database: Database): SourceMapsStore {
  // The replacement gets a new id, because parsed maps are cached by id.
  function* put(map: NewSourceMap): Transaction<SourceMapRow | null> {
    yield* run(replaced, map.projectId, map.release, map.name, map.debugId);
    return yield* returning(
      insert,
      map.projectId,
      map.release,
      map.debugId,
      map.name,
      map.uploadedAt,
      map.size,
      map.content,
    );
  }
  return {
    put: async (map) => {
      const row = await database.transaction(() => put(map));
      if (!row) throw new Error('INSERT ... RETURNING gave no row');
      return row;
    },
    list: async (projectId, limit) => database.all(list, projectId, limit),
    remove: async (projectId, ids) => void (await database.run(remove, projectId, JSON.stringify(ids))),
    byDebugId: async (projectId, debugId) => database.one(byDebugId, projectId, debugId),
    byName: async (projectId, release, names) => database.one(byName, projectId, release, JSON.stringify(names)),
    content: async (id) => database.one(content, id),
    removeOldest: async (project, maps, bytes) => void (await database.run(removeOldest, { project, maps, bytes })),
    any: async (projectId) => (await database.one(any, projectId)) !== null,
  };
}
