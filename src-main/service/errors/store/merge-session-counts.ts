import type { Buffer } from 'node:buffer';
import type { SessionCounts } from '../normalise/read-session.ts';

export type CountsToStore = SessionCounts & { readonly projectId: number; readonly userHash: Buffer | null };

// A type alias, because better-sqlite3's parameters need an index signature, which interfaces lack.
type Bucket = Readonly<{ projectId: number; release: string; environment: string; day: number }>;

/** A row to write: the sessions of a release, environment and day, or one of their users. */
type SessionRow =
  | (Bucket & { sessions: number; crashed: number; abnormal: number; errored: number })
  | (Bucket & { readonly userHash: Buffer; crashed: 0 | 1 });

type DayRow = Extract<SessionRow, { readonly sessions: number }>;
type UserRow = Extract<SessionRow, { readonly userHash: Buffer }>;

/**
 * Adds up counts of the same release, environment and day, and of their users; counts without
 * sessions are omitted.
 */
export function mergeSessionCounts(all: readonly CountsToStore[]): readonly SessionRow[] {
  const days = new Map<string, DayRow>();
  const users = new Map<string, UserRow>();
  for (const { projectId, release, environment, day, userHash, ...counts } of all) {
    const sessions = counts.exited + counts.errored + counts.abnormal + counts.crashed;
    if (sessions === 0) continue;
    const key = JSON.stringify([projectId, release, environment, day]);
    const bucket = { projectId, release, environment, day };
    const one = days.get(key) ?? { ...bucket, sessions: 0, crashed: 0, abnormal: 0, errored: 0 };
    days.set(key, one);
    one.sessions += sessions;
    one.crashed += counts.crashed;
    one.abnormal += counts.abnormal;
    one.errored += counts.errored;
    if (userHash === null) continue;
    const userKey = `${userHash.toString('hex')} ${key}`;
    const user = users.get(userKey) ?? { ...bucket, userHash, crashed: 0 };
    users.set(userKey, user);
    if (counts.crashed > 0) user.crashed = 1;
  }
  return [...days.values(), ...users.values()];
}
