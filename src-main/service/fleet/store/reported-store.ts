import type { CaptureState } from '../../../../src-shared/states/capture-states.ts';
import { activeCopyStates } from '../../../../src-shared/states/copy-states.ts';
import type { Database } from '../../database/port/database.ts';
import { read } from '../../database/port/query.ts';
import { stateList } from '../../database/transition-sql.ts';

export interface CopyNumbers {
  readonly waiting: number;
  readonly waiting_bytes: number;
  readonly oldest_since: number | null;
  readonly failed: number;
}

export interface RunNumbers {
  readonly growing: number;
  readonly stuck: number;
}

export interface LastRun {
  readonly id: string;
  readonly title: string;
  readonly registered_at: number;
}

export interface WatchedFolder {
  readonly name: string;
  readonly folder: string;
  readonly state: string;
}

/** Reads the counts and times of this bench that its reports contain. */
export interface ReportedStore {
  /** Servers to which something is pushed: a copy, or the runs of a rule. */
  pushServers(): Promise<readonly number[]>;
  copies(baseUrl: string): Promise<CopyNumbers>;
  runs(): Promise<RunNumbers>;
  folders(): Promise<readonly WatchedFolder[]>;
  /** @param since milliseconds since 1970. */
  failedJobs(since: number): Promise<number>;
  lastRun(): Promise<LastRun | null>;
  /** @param since milliseconds since 1970; events are counted from the hour that it lies in. */
  errors(since: number): Promise<{ readonly unresolved: number; readonly events_last_hour: number }>;
}

const hourMs = 3_600_000;
const waiting = stateList(activeCopyStates);
const growingStates: readonly CaptureState[] = ['seen', 'growing', 'quiet', 'hashing'];
const stuckStates: readonly CaptureState[] = ['needs-you', 'changed-after'];

const servers = read<[], { readonly id: number; readonly is_copied: number }>(
  `SELECT id, CASE WHEN EXISTS (SELECT 1 FROM copies AS c WHERE c.base_url = s.base_url AND c.state <> 'cancelled') THEN 1 ELSE 0 END AS is_copied
   FROM remote_servers AS s WHERE token IS NOT NULL AND reports = 1 ORDER BY id`,
);
const rules = read<
  [],
  { readonly name: string; readonly folder: string; readonly state: string; readonly settings: string }
>('SELECT name, folder, state, settings FROM capture_rules ORDER BY id LIMIT 1000');
const copies = read<[string], CopyNumbers>(
  `SELECT ifnull(sum(CASE WHEN state IN ${waiting} THEN 1 ELSE 0 END), 0) AS waiting,
     CAST(ifnull(sum(CASE WHEN state IN ${waiting} THEN bytes_total - bytes_done ELSE 0 END), 0) AS bigint) AS waiting_bytes,
     min(CASE WHEN state IN ${waiting} THEN created_at END) AS oldest_since,
     ifnull(sum(CASE WHEN state IN ('failed', 'asking') THEN 1 ELSE 0 END), 0) AS failed
   FROM copies WHERE base_url = ? AND state IN ${stateList([...activeCopyStates, 'failed'])}`,
);
const runs = read<[], RunNumbers>(
  `SELECT ifnull(sum(CASE WHEN state IN ${stateList(growingStates)} THEN 1 ELSE 0 END), 0) AS growing,
     ifnull(sum(CASE WHEN state IN ${stateList(stuckStates)} THEN 1 ELSE 0 END), 0) AS stuck
   FROM capture_runs WHERE state IN ${stateList([...growingStates, ...stuckStates])}`,
);
const failedJobs = read<[number], { readonly count: number }>(
  `SELECT count(*) AS count FROM jobs WHERE state = 'failed' AND created_at >= ?`,
);
const lastRun = read<[], LastRun>(
  `SELECT id, title, ifnull(registered_at, created_at) AS registered_at FROM measurements
   WHERE state <> 'registering' ORDER BY created_at DESC, id DESC LIMIT 1`,
);
const unresolved = read<[], { readonly count: number }>(
  `SELECT count(*) AS count FROM errors WHERE status = 'unresolved'`,
);
const events = read<{ readonly hour: number; readonly since: number }, { readonly count: number }>(
  `SELECT CAST(ifnull(sum(h.events), 0) AS bigint) AS count
   FROM error_groups AS g JOIN error_hours AS h ON h.group_id = g.id AND h.hour >= @hour WHERE g.last_seen >= @since`,
);

export function reportedStore(database: Database): ReportedStore {
  return {
    pushServers: async () => {
      const [all, watched] = await Promise.all([database.all(servers), database.all(rules)]);
      const pushedTo = new Set(
        watched.map(({ settings }) => (JSON.parse(settings) as { readonly push_to: number | null }).push_to),
      );
      return all.filter(({ id, is_copied: isCopied }) => isCopied === 1 || pushedTo.has(id)).map(({ id }) => id);
    },
    copies: async (baseUrl) =>
      (await database.one(copies, baseUrl)) ?? { waiting: 0, waiting_bytes: 0, oldest_since: null, failed: 0 },
    runs: async () => (await database.one(runs)) ?? { growing: 0, stuck: 0 },
    folders: async () => database.all(rules),
    failedJobs: async (since) => (await database.one(failedJobs, since))?.count ?? 0,
    lastRun: async () => database.one(lastRun),
    errors: async (since) => ({
      unresolved: (await database.one(unresolved))?.count ?? 0,
      events_last_hour: (await database.one(events, { hour: Math.floor(since / hourMs), since }))?.count ?? 0,
    }),
  };
}
