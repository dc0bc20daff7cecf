// A process that fetches one measurement with its own journal and resumes where a killed process
// stopped.
import Database from 'better-sqlite3';
import { setTimeout as wait } from 'node:timers/promises';
import { GroupCommit } from '../../src-main/service/database/sqlite/group-commit.ts';
import { migrateFetchTables } from '../../src-main/service/database/migrations/early/fetch-tables.ts';
import { startEngine } from '../../src-main/service/fetching/engine/worker/start-engine.ts';
import type { FetchOutcome } from '../../src-main/service/fetching/engine/types.ts';
import { fetchesStore } from '../../src-main/service/fetching/store/fetches-store.ts';
import { journalStore } from '../../src-main/service/fetching/store/journal-store.ts';
import { createLogger } from '../../src-main/service/logging/logging.ts';

export interface ChildOrder {
  readonly database: string;
  readonly baseUrl: string;
  readonly measurementId: string;
  readonly target: string;
  readonly connections: number;
  /** Fetches the archive instead of the files. */
  readonly archive?: 'kept' | 'unpacked';
  /** Milliseconds after which a silent server counts as lost. */
  readonly silence?: number;
}

/** The last line on standard output. */
export interface ChildReport {
  readonly outcome: FetchOutcome;
  /** Reasons of the runs that ended with `retry`. */
  readonly retries: readonly string[];
}

async function fetchAll(order: ChildOrder): Promise<ChildReport> {
  const database = new Database(order.database, { timeout: 5000 });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  migrateFetchTables(database);
  const commits = new GroupCommit(database);
  const fetches = fetchesStore(database, commits);
  const { baseUrl, measurementId, target, connections } = order;
  const what = order.archive === undefined ? 'files' : 'archive';
  const wanted = { measurementId, what, chosen: null, target, unpack: order.archive === 'unpacked' } as const;
  const row =
    (await fetches.byId(1)) ??
    (await fetches.create({ ...wanted, serverId: null, baseUrl, title: null, priority: 0, paused: false }));
  const engine = startEngine(journalStore(database, commits), createLogger('silent'), {
    timeouts: { connectMs: 1000, idleMs: order.silence ?? 10_000 },
  });
  const retries: string[] = [];
  for (;;) {
    const source = { baseUrl, token: null, certificate: null };
    const outcome = await engine.run({ id: row.id, source, connections, ...wanted, ...(await fetches.order(row.id)) })
      .outcome;
    if (outcome.kind !== 'retry') {
      await engine.close();
      database.close();
      return { outcome, retries };
    }
    retries.push(outcome.reason);
    await wait(50);
  }
}

console.log(JSON.stringify(await fetchAll(JSON.parse(process.argv[2] ?? '') as ChildOrder)));
