import { Buffer } from 'node:buffer';
import type { Transaction } from '../../database/port/database.ts';
import { read, write, writeValue } from '../../database/port/query.ts';
import { one, returning, run } from '../../database/port/steps.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';

export interface EventGroup {
  readonly id: number;
  readonly errorId: number;
  readonly isNew: boolean;
  readonly isResolved: boolean;
}

// A subquery instead of a join: SQLite would plan a join again for each event, because the bound
// values could change which table to begin with.
const find = read<[number, number, Buffer], { id: number; errorId: number; status: string }>(
  `SELECT id, error_id AS "errorId", (SELECT status FROM errors WHERE errors.id = error_id) AS status FROM error_groups
   WHERE project_id = ? AND version = ? AND key_hash = ?`,
);
interface ErrorValues {
  readonly projectId: number;
  readonly type: string;
  readonly value: string;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  readonly occurredAt: number;
  readonly release: string | null;
}
const insertError = writeValue<ErrorValues, number>(
  `INSERT INTO errors (project_id, type, value, culprit, level, platform, first_seen, last_seen, events, first_release, last_release)
   VALUES (@projectId, @type, @value, @culprit, @level, @platform, @occurredAt, @occurredAt, 0, @release, @release) RETURNING id`,
);

interface GroupValues extends Pick<ErrorValues, 'projectId' | 'occurredAt' | 'release'> {
  readonly errorId: number;
  readonly version: number;
  readonly hash: Buffer;
  readonly receivedAt: number;
}
const insertGroup = writeValue<GroupValues, number>(
  `INSERT INTO error_groups (project_id, error_id, version, key_hash, first_seen, last_seen, last_received, stored_bytes, events, first_release, last_release)
   VALUES (@projectId, @errorId, @version, @hash, @occurredAt, @occurredAt, @receivedAt, 0, 0, @release, @release) RETURNING id`,
);
// An event from before the resolution, sent by a client that was offline, does not reopen the
// error; an ignored error stays ignored.
const reopen = write<{ errorId: number; receivedAt: number; occurredAt: number }>(
  `UPDATE errors SET status = 'unresolved', regressed_at = @receivedAt, resolved_at = NULL
   WHERE id = @errorId AND status = 'resolved' AND @receivedAt > ifnull(resolved_at, 0) AND @occurredAt > ifnull(resolved_at, 0)`,
);

/** The group of an event and its error, within the transaction that writes the event. */
export function* findGroup(projectId: number, { group }: PreparedEvent): Transaction<EventGroup | null> {
  const row = yield* one(find, projectId, group.version, bufferOf(group.hash));
  return row && { id: row.id, errorId: row.errorId, isNew: false, isResolved: row.status === 'resolved' };
}

/** Creates a group with an error of its own. */
export function* createGroup(projectId: number, event: PreparedEvent): Transaction<EventGroup> {
  const { type, value, culprit, level, platform, release, receivedAt, occurredAt } = event;
  const errorId = yield* returning(insertError, {
    projectId,
    type,
    value,
    culprit,
    level,
    platform,
    occurredAt,
    release,
  });
  if (errorId === null) throw new Error('the error was not written');
  const { version, hash } = event.group;
  const values = { projectId, errorId, version, hash: bufferOf(hash), occurredAt, receivedAt, release };
  const id = yield* returning(insertGroup, values);
  if (id === null) throw new Error('the group was not written');
  return { id, errorId, isNew: true, isResolved: false };
}

/** Reopens the error if it was resolved before the event. @returns whether it was reopened. */
export function* reopenError({ errorId }: EventGroup, { receivedAt, occurredAt }: PreparedEvent): Transaction<boolean> {
  return (yield* run(reopen, { receivedAt, occurredAt, errorId })) > 0;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
