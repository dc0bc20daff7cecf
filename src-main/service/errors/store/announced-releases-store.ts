import type { Database, Transaction } from '../../database/port/database.ts';
import { noLimit } from '../../database/port/dialect.ts';
import { read, write } from '../../database/port/query.ts';
import { returning, run } from '../../database/port/steps.ts';

export interface AnnouncedReleaseRow {
  readonly id: number;
  readonly project_id: number;
  readonly version: string;
  readonly url: string | null;
  readonly archived: 0 | 1;
  readonly created_at: number;
  readonly released_at: number | null;
}

/** Fields of a release that an announcement sets; omitted members keep their value. */
export interface ReleaseChange {
  readonly url?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly releasedAt?: number | undefined;
}

export interface Deploy {
  readonly id: number;
  readonly environment: string;
  readonly name: string | null;
  readonly url: string | null;
  readonly started_at: number | null;
  readonly finished_at: number;
}

export interface AnnouncedReleasesStore {
  /** Adds the release, or changes it if it exists. */
  announce(projectId: number, version: string, change: ReleaseChange, now: number): Promise<AnnouncedReleaseRow>;
  find(projectId: number, version: string): Promise<AnnouncedReleaseRow | null>;
  /** Returns the newest releases first. */
  list(projectId: number, limit: number): Promise<readonly AnnouncedReleaseRow[]>;
  /** Counts the deploys of a release and the source maps stored for it. */
  counts(
    release: Pick<AnnouncedReleaseRow, 'id' | 'project_id' | 'version'>,
  ): Promise<{ readonly deploys: number; readonly source_maps: number }>;
  /** Removes a release with its deploys and its source maps. */
  remove(projectId: number, version: string): Promise<boolean>;
  addDeploy(releaseId: number, deploy: Omit<Deploy, 'id'>): Promise<Deploy>;
  /** Returns the newest deploys first. */
  deploys(releaseId: number, limit: number): Promise<readonly Deploy[]>;
}

const maxReleases = 1000;
const maxDeploys = 1000;

const columns = 'id, project_id, version, url, archived, created_at, released_at';

const announce = write<
  [number, string, string | null, 0 | 1, number, number | null, 0 | 1 | null],
  AnnouncedReleaseRow
>(
  `INSERT INTO announced_releases (project_id, version, url, archived, created_at, released_at) VALUES (?, ?, ?, ?, ?, ?)
   ON CONFLICT (project_id, version) DO UPDATE SET
     url = ifnull(excluded.url, announced_releases.url), archived = ifnull(CAST(? AS bigint), announced_releases.archived),
     released_at = ifnull(excluded.released_at, announced_releases.released_at)
   RETURNING ${columns}`,
);
const trimReleases = write<[number, number]>(
  `DELETE FROM announced_releases WHERE id IN
     (SELECT id FROM announced_releases WHERE project_id = ? ORDER BY id DESC ${noLimit} OFFSET ?)`,
);
const find = read<[number, string], AnnouncedReleaseRow>(
  `SELECT ${columns} FROM announced_releases WHERE project_id = ? AND version = ?`,
);
const list = read<[number, number], AnnouncedReleaseRow>(
  `SELECT ${columns} FROM announced_releases WHERE project_id = ? ORDER BY id DESC LIMIT ?`,
);
const counts = read<{ id: number; project: number; version: string }, { deploys: number; source_maps: number }>(
  `SELECT (SELECT count(*) FROM release_deploys WHERE release_id = @id) AS deploys,
     (SELECT count(*) FROM source_maps WHERE project_id = @project AND ifnull(release, '') = @version) AS source_maps`,
);
const removeMaps = write<[number, string]>(`DELETE FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ?`);
const remove = write<[number, string]>('DELETE FROM announced_releases WHERE project_id = ? AND version = ?');
const addDeploy = write<[number, string, string | null, string | null, number | null, number], Deploy>(
  `INSERT INTO release_deploys (release_id, environment, name, url, started_at, finished_at) VALUES (?, ?, ?, ?, ?, ?)
   RETURNING id, environment, name, url, started_at, finished_at`,
);
const trimDeploys = write<[number, number]>(
  `DELETE FROM release_deploys WHERE id IN (SELECT id FROM release_deploys WHERE release_id = ? ORDER BY id DESC ${noLimit} OFFSET ?)`,
);
const deploys = read<[number, number], Deploy>(
  'SELECT id, environment, name, url, started_at, finished_at FROM release_deploys WHERE release_id = ? ORDER BY id DESC LIMIT ?',
);

/**
 * Announced releases; keeps the last thousand of each project, and the last thousand deploys of each
 * release.
 */
export function announcedReleasesStore(database: Database): AnnouncedReleasesStore {
  function* removeAll(projectId: number, version: string): Transaction<boolean> {
    yield* run(removeMaps, projectId, version);
    return (yield* run(remove, projectId, version)) > 0;
  }
  function* announceOne(
    projectId: number,
    version: string,
    { url, archived, releasedAt }: ReleaseChange,
    now: number,
  ): Transaction<AnnouncedReleaseRow | null> {
    const flag = archived === undefined ? null : archived ? 1 : 0;
    const row = yield* returning(announce, projectId, version, url ?? null, flag ?? 0, now, releasedAt ?? null, flag);
    yield* run(trimReleases, projectId, maxReleases);
    return row;
  }
  function* deployOne(
    releaseId: number,
    { environment, name, url, started_at, finished_at }: Omit<Deploy, 'id'>,
  ): Transaction<Deploy | null> {
    const row = yield* returning(addDeploy, releaseId, environment, name, url, started_at, finished_at);
    yield* run(trimDeploys, releaseId, maxDeploys);
    return row;
  }
  return {
    announce: async (...release) => required(await database.transaction(() => announceOne(...release))),
    find: async (projectId, version) => database.one(find, projectId, version),
    list: async (projectId, limit) => database.all(list, projectId, limit),
    counts: async ({ id, project_id: project, version }) =>
      required(await database.one(counts, { id, project, version })),
    remove: async (projectId, version) => database.transaction(() => removeAll(projectId, version)),
    addDeploy: async (releaseId, deploy) => required(await database.transaction(() => deployOne(releaseId, deploy))),
    deploys: async (releaseId, limit) => database.all(deploys, releaseId, limit),
  };
}

function required<T>(row: T | null): T {
  if (row === null) throw new Error('a statement that always gives a row gave none');
  return row;
}
