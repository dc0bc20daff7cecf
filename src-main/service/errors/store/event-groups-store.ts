import { Buffer } from 'node:buffer';
import type Database from 'better-sqlite3';
import type { PreparedEvent } from '../events/prepare-event.ts';

export interface EventGroup {
  readonly id: number;
  readonly errorId: number;
  readonly isNew: boolean;
  readonly isResolved: boolean;
}

/** Finds and creates groups and errors within the transaction that writes an event. */
export interface GroupWriter {
  find(projectId: number, event: PreparedEvent): EventGroup | null;
  create(projectId: number, event: PreparedEvent): EventGroup;
  /** Reopens the error if it was resolved before the event. @returns whether it was reopened. */
  reopen(group: EventGroup, event: PreparedEvent): boolean;
}

export function groupWriter(database: Database.Database): GroupWriter {
  // A subquery instead of a join: SQLite would plan a join again for each event, because the bound
  // values could change which table to begin with.
  const find = database.prepare<[number, number, Buffer], { id: number; errorId: number; status: string }>(
    `SELECT id, error_id AS errorId, (SELECT status FROM errors WHERE errors.id = error_id) AS status FROM error_groups
     WHERE project_id = ? AND version = ? AND key_hash = ?`,
  );
  const insertError = database.prepare<Record<string, unknown>, number>(
    `INSERT INTO errors (project_id, type, value, culprit, level, platform, first_seen, last_seen, events, first_release, last_release)
     VALUES (@projectId, @type, @value, @culprit, @level, @platform, @occurredAt, @occurredAt, 0, @release, @release) RETURNING id`,
  );
  const insertGroup = database.prepare<Record<string, unknown>, number>(
    `INSERT INTO error_groups (project_id, error_id, version, key_hash, first_seen, last_seen, last_received, stored_bytes, events, first_release, last_release)
     VALUES (@projectId, @errorId, @version, @hash, @occurredAt, @occurredAt, @receivedAt, 0, 0, @release, @release) RETURNING id`,
  );
  // An event from before the resolution, sent by a client that was offline, does not reopen the
  // error; an ignored error stays ignored.
  const reopen = database.prepare<Record<string, unknown>>(
    `UPDATE errors SET status = 'unresolved', regressed_at = @receivedAt, resolved_at = NULL
     WHERE id = @errorId AND status = 'resolved' AND @receivedAt > ifnull(resolved_at, 0) AND @occurredAt > ifnull(resolved_at, 0)`,
  );
  find.safeIntegers(false);
  const insertErrorId = insertError.pluck();
  const insertGroupId = insertGroup.pluck();

  return {
    find: (projectId, event) => {
      const row = find.get(projectId, event.group.version, bufferOf(event.group.hash));
      return row ? { id: row.id, errorId: row.errorId, isNew: false, isResolved: row.status === 'resolved' } : null;
    },
    create: (projectId, event) => {
      const values = { ...columns(event), projectId };
      const errorId = insertErrorId.get(values);
      const id = insertGroupId.get({
        projectId,
        errorId,
        version: event.group.version,
        hash: bufferOf(event.group.hash),
        ...columns(event),
      });
      if (errorId === undefined || id === undefined) throw new Error('the group was not written');
      return { id, errorId, isNew: true, isResolved: false };
    },
    reopen: (group, { receivedAt, occurredAt }) =>
      reopen.run({ receivedAt, occurredAt, errorId: group.errorId }).changes > 0,
  };
}

function columns({ type, value, culprit, level, platform, release, receivedAt, occurredAt }: PreparedEvent) {
  return { type, value, culprit, level, platform, release, receivedAt, occurredAt };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
