import { Buffer } from 'node:buffer';
import type { DropCounts } from './count-drops.ts';
import { readSession, readSessionCounts } from './read-session.ts';
import type { ReleaseSessionsStore } from './release-sessions-store.ts';

export interface SessionRecorder {
  /** @throws IngestFailure 400 when it cannot be read. */
  record(
    projectId: number,
    item: { readonly type: 'session' | 'sessions'; readonly body: Buffer },
    received: { readonly receivedAt: number; readonly sentAt: number | null },
  ): Promise<null>;
}

/** Records sessions of releases; what names no release belongs nowhere and is only counted. */
export function sessionRecorder(
  store: ReleaseSessionsStore,
  drops: DropCounts,
  hashUser: (projectId: number, identity: string | null) => Buffer | null,
): SessionRecorder {
  // A session names its user by the id alone, where an event has one too.
  const hash = (projectId: number, user: string | null): Buffer | null => hashUser(projectId, user === null ? null : `id:${user}`);
  return {
    record: async (projectId, { type, body }, received) => {
      if (type === 'sessions') {
        const all = readSessionCounts(body, received);
        if (all.length === 0) drops.add(projectId, 'no-release');
        await Promise.all(all.map(async (counts) => store.add({ ...counts, projectId, userHash: hash(projectId, counts.user) })));
        return null;
      }
      const session = readSession(body, received);
      if (session === null) {
        drops.add(projectId, 'no-release');
        return null;
      }
      const sessionId = Buffer.from(session.id, 'hex');
      await store.update({ ...session, projectId, sessionId, receivedAt: received.receivedAt, userHash: hash(projectId, session.user) });
      return null;
    },
  };
}
