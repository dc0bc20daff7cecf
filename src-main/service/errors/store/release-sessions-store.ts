import type { Buffer } from 'node:buffer';
import type Database from 'better-sqlite3';
import type { GroupCommit } from '../../database/group-commit.ts';
import { mergeSessionCounts, type CountsToStore } from './merge-session-counts.ts';
import type { SessionUpdate } from '../normalise/read-session.ts';

type ForProject = { readonly projectId: number };
export type SessionToStore = SessionUpdate &
  ForProject & { readonly sessionId: Buffer; readonly userHash: Buffer | null; readonly receivedAt: number };

export interface ReleaseSessionsStore {
  /** Stores an update of a session; one that is late or a duplicate changes nothing. */
  update(one: SessionToStore): Promise<void>;
  /** Adds sessions aggregated by the sender, in several transactions. */
  add(counts: readonly CountsToStore[]): Promise<void>;
}

interface Known {
  readonly release: string;
  readonly environment: string;
  readonly day: number;
  readonly sequence: number;
  readonly status: string;
  readonly errored: 0 | 1;
}

type Outcome = 'crashed' | 'abnormal' | 'errored' | 'healthy';
type Change = Readonly<Record<'sessions' | 'crashed' | 'abnormal' | 'errored', number>>;

const rowsPerStatement = 100;

/** Sessions of releases, from which the share of crash-free sessions is computed. */
export function releaseSessionsStore(database: Database.Database, groupCommit: GroupCommit): ReleaseSessionsStore {
  const find = database.prepare<[number, Buffer], Known>(
    'SELECT * FROM release_sessions WHERE project_id = ? AND session_id = ?',
  );
  const write = database.prepare<Record<string, unknown>>(
    `INSERT INTO release_sessions (project_id, session_id, release, environment, day, sequence, status, errored, received_at)
     VALUES (@projectId, @sessionId, @release, @environment, @day, @sequence, @status, @errored, @receivedAt)
     ON CONFLICT DO UPDATE SET sequence = excluded.sequence, status = excluded.status, errored = excluded.errored, received_at = excluded.received_at`,
  );
  const change = database.prepare<Record<string, unknown>>(
    `INSERT INTO release_days (project_id, release, environment, day, sessions, crashed, abnormal, errored)
     VALUES (@projectId, @release, @environment, @day, @sessions, @crashed, @abnormal, @errored)
     ON CONFLICT DO UPDATE SET sessions = sessions + excluded.sessions, crashed = crashed + excluded.crashed,
       abnormal = abnormal + excluded.abnormal, errored = errored + excluded.errored`,
  );
  const addUser = database.prepare<Record<string, unknown>>(
    `INSERT INTO release_users (project_id, release, environment, day, user_hash, crashed)
     VALUES (@projectId, @release, @environment, @day, @userHash, @crashed)
     ON CONFLICT DO UPDATE SET crashed = max(crashed, excluded.crashed)`,
  );

  function update(one: SessionToStore): void {
    const known = find.get(one.projectId, one.sessionId) ?? null;
    if (known && (one.sequence <= known.sequence || isOver(known.status))) return;
    // Release, environment and day of a session do not change with its updates.
    const bucket = {
      projectId: one.projectId,
      release: known?.release ?? one.release,
      environment: known?.environment ?? one.environment,
      day: known?.day ?? one.day,
    };
    const errored = one.errored || known?.errored === 1 ? 1 : 0;
    const now = outcomeOf(one.status, errored);
    const before = known && outcomeOf(known.status, known.errored);
    write.run({
      ...bucket,
      sessionId: one.sessionId,
      sequence: one.sequence,
      status: one.status,
      errored,
      receivedAt: one.receivedAt,
    });
    if (before !== now) change.run({ ...bucket, ...difference(before, now) });
    if (one.userHash !== null) addUser.run({ ...bucket, userHash: one.userHash, crashed: now === 'crashed' ? 1 : 0 });
  }

  return {
    update: async (one) => groupCommit.run(() => update(one)),
    add: async (counts) => {
      const rows = mergeSessionCounts(counts);
      for (let at = 0; at < rows.length; at += rowsPerStatement) {
        const some = rows.slice(at, at + rowsPerStatement);
        const addSome = (): void => {
          for (const row of some) ('userHash' in row ? addUser : change).run(row);
        };
        await groupCommit.run(addSome, null, some.length);
      }
    },
  };
}

function isOver(status: string): boolean {
  return status !== 'ok';
}

/**
 * Returns one of four outcomes, as SDKs aggregate them: `errored` sessions had errors and continue
 * or ended normally.
 */
function outcomeOf(status: string, errored: 0 | 1): Outcome {
  if (status === 'crashed' || status === 'abnormal') return status;
  return errored === 1 ? 'errored' : 'healthy';
}

function difference(before: Outcome | null, now: Outcome): Change {
  const of = (outcome: Outcome): number => (now === outcome ? 1 : 0) - (before === outcome ? 1 : 0);
  return {
    sessions: before === null ? 1 : 0,
    crashed: of('crashed'),
    abnormal: of('abnormal'),
    errored: of('errored'),
  };
}
