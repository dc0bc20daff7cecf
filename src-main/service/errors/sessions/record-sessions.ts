import { Buffer } from 'node:buffer';
import type { DropCounts } from '../store/count-drops.ts';
import { IngestFailure } from '../normalise/ingest-failure.ts';
import {
  readSession,
  readSessionCounts,
  type Received,
  type SessionCounts,
  type SessionUpdate,
} from '../normalise/read-session.ts';
import type { ReleaseSessionsStore } from '../store/release-sessions-store.ts';

export interface SessionItem {
  readonly type: 'session' | 'sessions';
  readonly body: Buffer;
}

export interface SessionRecorder {
  /**
   * Records the sessions of an envelope.
   *
   * @param turn awaited before each item, with its bytes, so that many items do not block the event
   * loop.
   * @returns failures of items that could not be read; all others are on disk by then.
   */
  record(
    projectId: number,
    items: readonly SessionItem[],
    received: Received,
    turn: (bytes: number) => Promise<void>,
  ): Promise<IngestFailure[]>;
}

/** Limit of the counts of one envelope; SDKs send a few, and each may be a row for a user. */
const maxCounts = 1000;

interface ReadItems {
  readonly updates: SessionUpdate[];
  readonly counts: SessionCounts[];
  readonly failures: IngestFailure[];
}

/** Records sessions of releases; sessions without a release are only counted as dropped. */
export function sessionRecorder(
  store: ReleaseSessionsStore,
  drops: DropCounts,
  hashUser: (projectId: number, identity: string | null) => Buffer | null,
): SessionRecorder {
  // Sessions identify users by the id alone; the prefix matches that of events.
  const hash = (projectId: number, user: string | null): Buffer | null =>
    hashUser(projectId, user === null ? null : `id:${user}`);

  function read(
    projectId: number,
    { type, body }: SessionItem,
    received: Received,
    { updates, counts, failures }: ReadItems,
  ): void {
    try {
      if (type === 'session') {
        const session = readSession(body, received);
        if (session === null) drops.add(projectId, 'no-release');
        else updates.push(session);
        return;
      }
      const limit = maxCounts - counts.length;
      if (limit === 0) return drops.add(projectId, 'too-many-items');
      const some = readSessionCounts(body, received, limit);
      if (some.counts.length === 0) drops.add(projectId, 'no-release');
      if (some.leftOut > 0) drops.add(projectId, 'too-many-items', some.leftOut);
      counts.push(...some.counts);
    } catch (error) {
      if (!(error instanceof IngestFailure)) throw error;
      failures.push(error);
    }
  }

  return {
    record: async (projectId, items, received, turn) => {
      const all: ReadItems = { updates: [], counts: [], failures: [] };
      for (const item of items) {
        if (items.length > 1) await turn(item.body.length);
        read(projectId, item, received, all);
      }
      const { receivedAt } = received;
      await Promise.all([
        store.add(all.counts.map((one) => ({ ...one, projectId, userHash: hash(projectId, one.user) }))),
        store.update(
          all.updates.map((one) => {
            const [sessionId, userHash] = [Buffer.from(one.id, 'hex'), hash(projectId, one.user)];
            return { ...one, projectId, sessionId, receivedAt, userHash };
          }),
        ),
      ]);
      return all.failures;
    },
  };
}
