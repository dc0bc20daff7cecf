import type { Buffer } from 'node:buffer';
import type { Database, Transaction } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import { mergeSessionCounts, type CountsToStore } from './merge-session-counts.ts';
import type { SessionUpdate } from '../normalise/read-session.ts';

type ForProject = { readonly projectId: number };
export type SessionToStore = SessionUpdate &
  ForProject & { readonly sessionId: Buffer; readonly userHash: Buffer | null; readonly receivedAt: number };

export interface ReleaseSessionsStore {
  /** Stores updates of sessions in their order; one that is late or a duplicate changes nothing. */
  update(updates: readonly SessionToStore[]): Promise<void>;
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

interface Bucket extends ForProject {
  readonly release: string;
  readonly environment: string;
  readonly day: number;
}
interface SessionValues extends Bucket {
  readonly sessionId: Buffer;
  readonly sequence: number;
  readonly status: string;
  readonly errored: number;
  readonly receivedAt: number;
}

const find = read<[number, Buffer], Known>('SELECT * FROM release_sessions WHERE project_id = ? AND session_id = ?');
const put = write<SessionValues>(
  `INSERT INTO release_sessions (project_id, session_id, release, environment, day, sequence, status, errored, received_at)
   VALUES (@projectId, @sessionId, @release, @environment, @day, @sequence, @status, @errored, @receivedAt)
   ON CONFLICT (project_id, session_id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status, errored = excluded.errored, received_at = excluded.received_at`,
);
const change = write<Bucket & Change>(
  `INSERT INTO release_days (project_id, release, environment, day, sessions, crashed, abnormal, errored)
   VALUES (@projectId, @release, @environment, @day, @sessions, @crashed, @abnormal, @errored)
   ON CONFLICT (project_id, release, environment, day) DO UPDATE SET
     sessions = release_days.sessions + excluded.sessions, crashed = release_days.crashed + excluded.crashed,
     abnormal = release_days.abnormal + excluded.abnormal, errored = release_days.errored + excluded.errored`,
);
const addUser = write<Bucket & { readonly userHash: Buffer; readonly crashed: number }>(
  `INSERT INTO release_users (project_id, release, environment, day, user_hash, crashed)
   VALUES (@projectId, @release, @environment, @day, @userHash, @crashed)
   ON CONFLICT (project_id, release, environment, day, user_hash) DO UPDATE
     SET crashed = max(release_users.crashed, excluded.crashed)`,
);

/** Sessions of releases, from which the share of crash-free sessions is computed. */
export function releaseSessionsStore(database: Database): ReleaseSessionsStore {
  function* update(session: SessionToStore): Transaction<void> {
    const known = yield* one(find, session.projectId, session.sessionId);
    if (known && (session.sequence <= known.sequence || isOver(known.status))) return;
    // Release, environment and day of a session do not change with its updates.
    const bucket = {
      projectId: session.projectId,
      release: known?.release ?? session.release,
      environment: known?.environment ?? session.environment,
      day: known?.day ?? session.day,
    };
    const errored = session.errored || known?.errored === 1 ? 1 : 0;
    const now = outcomeOf(session.status, errored);
    const before = known && outcomeOf(known.status, known.errored);
    yield* run(put, {
      ...bucket,
      sessionId: session.sessionId,
      sequence: session.sequence,
      status: session.status,
      errored,
      receivedAt: session.receivedAt,
    });
    if (before !== now) yield* run(change, { ...bucket, ...difference(before, now) });
    if (session.userHash !== null)
      yield* run(addUser, { ...bucket, userHash: session.userHash, crashed: now === 'crashed' ? 1 : 0 });
  }

  return {
    update: async (updates) => {
      for (let at = 0; at < updates.length; at += rowsPerStatement) {
        const some = updates.slice(at, at + rowsPerStatement);
        await database.grouped(function* () {
          for (const session of some) yield* update(session);
        }, some.length);
      }
    },
    add: async (counts) => {
      const rows = mergeSessionCounts(counts);
      for (let at = 0; at < rows.length; at += rowsPerStatement) {
        const some = rows.slice(at, at + rowsPerStatement);
        await database.grouped(function* () {
          for (const row of some) yield* 'userHash' in row ? run(addUser, row) : run(change, row);
        }, some.length);
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
