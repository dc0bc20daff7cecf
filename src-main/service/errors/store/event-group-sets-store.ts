import { Buffer } from 'node:buffer';
import { jsonRows } from '../../database/port/json-rows.ts';
import type { Transaction } from '../../database/port/database.ts';
import { rowsOf } from '../../database/port/dialect.ts';
import { read, write } from '../../database/port/query.ts';
import { all, returningAll, run } from '../../database/port/steps.ts';
import type { EventGroup } from './event-groups-store.ts';
import type { EventToStore } from './events-store.ts';

const keyColumns = 'project bigint, version bigint, hash text';
const ofKey = `error_groups.project_id = x.project AND error_groups.version = x.version AND error_groups.key_hash = decode(x.hash, 'hex')`;

const existing = read<{ keys: string }, Key>(
  `SELECT x.project, x.version, x.hash FROM ${rowsOf('@keys', keyColumns)} WHERE EXISTS (SELECT 1 FROM error_groups WHERE ${ofKey})`,
);
// Not FOR UPDATE: that would wait for other transactions that insert events, which hold a lock on the
// key of the group.
const lock = write<{ keys: string }, Key & { id: number; error: number; status: string }>(
  `SELECT x.project, x.version, x.hash, error_groups.id, errors.id AS error, errors.status
   FROM ${rowsOf('@keys', keyColumns)} JOIN error_groups ON ${ofKey} JOIN errors ON errors.id = error_groups.error_id
   ORDER BY errors.id, error_groups.id FOR NO KEY UPDATE OF errors, error_groups`,
);
const newIds = write<{ count: number }, { id: number }>(
  `SELECT nextval(pg_get_serial_sequence('errors', 'id')) AS id FROM generate_series(1, CAST(@count AS integer))`,
);
const insertErrors = write<{ errors: string }>(
  `INSERT INTO errors (id, project_id, type, value, culprit, level, platform, first_seen, last_seen, events, first_release, last_release)
   SELECT id, project, type, value, culprit, level, platform, occurred, occurred, 0, release, release
   FROM ${rowsOf('@errors', 'id bigint, project bigint, type text, value text, culprit text, level text, platform text, occurred bigint, release text')}`,
);
// Waits for other transactions that make one of these groups, and leaves theirs.
const insertGroups = write<{ groups: string }, { error: number }>(
  `INSERT INTO error_groups (project_id, error_id, version, key_hash, first_seen, last_seen, last_received, stored_bytes, events, first_release, last_release)
   SELECT project, error, version, decode(hash, 'hex'), occurred, occurred, received, 0, 0, release, release
   FROM ${rowsOf('@groups', `${keyColumns}, error bigint, occurred bigint, received bigint, release text`)}
   ORDER BY project, version, hash ON CONFLICT (project_id, version, key_hash) DO NOTHING RETURNING error_id AS error`,
);
const removeErrors = write<{ errors: string }>(
  `DELETE FROM errors USING ${rowsOf('@errors', 'id bigint')} WHERE errors.id = x.id`,
);

interface Key {
  readonly project: number;
  readonly version: number;
  readonly hash: string;
}

// A group may be removed or moved between the statements; then all are looked up anew.
const maxAttempts = 5;

/** Names the group of an event. */
export function groupKeyOf({ projectId, event }: EventToStore): string {
  return textOf(keyOf({ projectId, event }));
}

/**
 * The groups of events by their keys, found or made, and locked with their errors until the end of
 * the transaction.
 *
 * @param probable whether all groups were there a moment ago, so that they need not be looked up
 * before they are locked.
 */
export function* groupsOf(
  events: readonly EventToStore[],
  probable: boolean,
): Transaction<ReadonlyMap<string, EventGroup>> {
  const first = new Map<string, EventToStore>();
  for (const one of events) if (!first.has(groupKeyOf(one))) first.set(groupKeyOf(one), one);
  const keys = jsonRows([...first.values()].map(keyOf));
  const made = new Set<number>();
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    if (!probable || attempt > 1) for (const errorId of yield* makeMissing(first, keys)) made.add(errorId);
    const locked = yield* returningAll(lock, { keys });
    if (locked.length === first.size)
      return new Map(
        locked.map((row) => {
          const isNew = made.has(row.error);
          return [textOf(row), { id: row.id, errorId: row.error, isNew, isResolved: row.status === 'resolved' }];
        }),
      );
  }
  throw new Error('the groups of events are removed as fast as they are made');
}

/** @returns the errors of the groups that were made. */
function* makeMissing(events: ReadonlyMap<string, EventToStore>, keys: string): Transaction<readonly number[]> {
  const there = new Set((yield* all(existing, { keys })).map(textOf));
  const missing = [...events].filter(([key]) => !there.has(key)).map(([, one]) => one);
  return missing.length > 0 ? yield* makeGroups(missing) : [];
}

/** Makes groups with an error each. @returns the errors of those that no other transaction made. */
function* makeGroups(events: readonly EventToStore[]): Transaction<readonly number[]> {
  const ids = (yield* returningAll(newIds, { count: events.length })).map(({ id }) => id);
  const rows = events.map(({ projectId, event }, at) => {
    const { type, value, culprit, level, platform, release, occurredAt, receivedAt } = event;
    const texts = { type, value, culprit, level, platform, release };
    const id = ids[at] ?? 0;
    return { id, error: id, ...keyOf({ projectId, event }), ...texts, occurred: occurredAt, received: receivedAt };
  });
  const json = jsonRows(rows);
  yield* run(insertErrors, { errors: json });
  const made = new Set((yield* returningAll(insertGroups, { groups: json })).map(({ error }) => error));
  const unused = ids.filter((id) => !made.has(id));
  if (unused.length > 0) yield* run(removeErrors, { errors: jsonRows(unused.map((id) => ({ id }))) });
  return [...made];
}

function keyOf({ projectId, event }: Pick<EventToStore, 'projectId' | 'event'>): Key {
  const { version, hash } = event.group;
  const bytes = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength);
  return { project: projectId, version, hash: bytes.toString('hex') };
}

function textOf({ project, version, hash }: Key): string {
  return `${project} ${version} ${hash}`;
}
