import { Buffer } from 'node:buffer';
import type Database from 'better-sqlite3';
import type { GroupCommit } from '../../database/group-commit.ts';
import { eventCounts, type GatheredCounts } from './event-counts-store.ts';
import { groupWriter } from './event-groups-store.ts';
import { detachBuffer } from '../events/detach-buffer.ts';
import { eventDictionaries, type PackedEvent } from './event-dictionaries-store.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import { eventRowBytes } from './stored-bytes.ts';

/** Result of storing an event; `change` is set when users should be notified. */
export interface StoredEvent {
  readonly outcome: 'stored' | 'duplicate';
  readonly errorId: number | null;
  readonly change: 'new' | 'regressed' | null;
}

export interface EventToStore {
  readonly projectId: number;
  readonly keyId: number;
  readonly event: PreparedEvent;
  readonly userHash: Buffer | null;
}

export interface EventsStore {
  /** @returns the result once the event is on disk. */
  add(one: EventToStore): Promise<StoredEvent>;
}

/** The usual number of tags of an event; each further one may be a row of its own. */
const defaultTags = 20;

function weightOf({ tags }: PreparedEvent): number {
  return 1 + Math.max(0, tags.length - defaultTags) / 2;
}

const duplicate: StoredEvent = { outcome: 'duplicate', errorId: null, change: null };

/** Writes events together with their counts, in a transaction shared with concurrent writes. */
export function eventsStore(database: Database.Database, groupCommit: GroupCommit): EventsStore {
  const known = database
    .prepare<[number, Buffer], number>('SELECT 1 FROM error_events WHERE project_id = ? AND event_id = ?')
    .pluck();
  const insert = database.prepare<
    [number, number, Buffer, number, number, string, string | null, string | null, Uint8Array]
  >(
    `INSERT INTO error_events (project_id, group_id, event_id, received_at, occurred_at, level, environment, release, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addUser = database.prepare<[number, Buffer]>(
    'INSERT INTO error_users (group_id, user_hash) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const hasUser = database
    .prepare<[number, Buffer, number], number>(
      'SELECT 1 FROM error_groups JOIN error_users ON group_id = error_groups.id WHERE error_id = ? AND user_hash = ? AND group_id <> ? LIMIT 1',
    )
    .pluck();
  const groups = groupWriter(database);
  const dictionaries = eventDictionaries(database);
  const counted = eventCounts(database);

  function write(
    { projectId, keyId, event, userHash }: EventToStore,
    packed: PackedEvent,
    counts: GatheredCounts,
  ): StoredEvent {
    const eventId = Buffer.from(event.eventId, 'hex');
    if (known.get(projectId, eventId) !== undefined) {
      counts.received(projectId, event.receivedAt, 'duplicate');
      return duplicate;
    }
    const group = groups.find(projectId, event) ?? groups.create(projectId, event);
    const { receivedAt, occurredAt, level, environment, release } = event;
    const { payload, bytes } = dictionaries.payloadIn(group.id, packed);
    const { lastInsertRowid } = insert.run(
      projectId,
      group.id,
      eventId,
      receivedAt,
      occurredAt,
      level,
      environment,
      release,
      payload,
    );
    detachBuffer(packed.payload, packed.payload.length);
    // After a merge, another group of the error may already have counted the same user.
    const newUser =
      userHash !== null &&
      addUser.run(group.id, userHash).changes > 0 &&
      hasUser.get(group.errorId, userHash, group.id) === undefined;
    const reopened = group.isResolved && groups.reopen(group, event);
    counts.stored({
      projectId,
      keyId,
      groupId: group.id,
      errorId: group.errorId,
      rowId: Number(lastInsertRowid),
      newUser,
      bytes: bytes + eventRowBytes,
      event,
    });
    return { outcome: 'stored', errorId: group.errorId, change: group.isNew ? 'new' : reopened ? 'regressed' : null };
  }

  return {
    add: async (one) => {
      const packed = dictionaries.pack(one.projectId, one.event);
      return groupCommit.run((counts) => write(one, packed, counts), counted, weightOf(one.event));
    },
  };
}
