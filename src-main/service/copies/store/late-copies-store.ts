import type { CopyState } from '../../../../src-shared/states/copy-states.ts';
import type { Database } from '../../database/port/database.ts';
import { read } from '../../database/port/query.ts';

/** A copy that is to be sent, as far as its progress is concerned. */
export interface UnsentCopy {
  readonly id: number;
  readonly measurement_id: string;
  /** Owner of the measurement; null when it is gone. */
  readonly owner_id: number | null;
  readonly manifest_sha256: string;
  readonly base_url: string;
  readonly server_name: string;
  readonly state: CopyState;
  readonly message: string | null;
  readonly attempts: number;
  readonly bytes_done: number;
}

export interface LateCopiesStore {
  /** All copies that are to be sent and that nobody has paused. */
  unsent(): Promise<readonly UnsentCopy[]>;
  /** Something about each server with queued copies that changes whenever a copy to it gets on. */
  progress(): Promise<ReadonlyMap<string, string>>;
}

const unsent = read<[], UnsentCopy>(
  `SELECT c.id, c.measurement_id, m.owner_id, c.manifest_sha256, c.base_url, c.server_name, c.state, c.message, c.attempts,
     c.bytes_done
   FROM copies AS c LEFT JOIN measurements AS m ON m.id = c.measurement_id
   WHERE c.state IN ('queued', 'sending', 'waiting', 'asking') ORDER BY c.id`,
);
const progress = read<[], { base_url: string; ended_at: number | null; bytes: number | null }>(
  `SELECT q.base_url, (SELECT max(ended_at) FROM copies AS c WHERE c.base_url = q.base_url) AS ended_at,
     (SELECT CAST(sum(bytes_done) AS bigint) FROM copies AS c WHERE c.base_url = q.base_url AND c.state = 'sending') AS bytes
   FROM (SELECT DISTINCT base_url FROM copies WHERE state = 'queued') AS q`,
);

/** Queries that tell whether copies make progress. */
export function lateCopiesStore(database: Database): LateCopiesStore {
  return {
    unsent: async () => database.all(unsent),
    progress: async () =>
      new Map((await database.all(progress)).map((row) => [row.base_url, `${row.ended_at} ${row.bytes}`])),
  };
}
