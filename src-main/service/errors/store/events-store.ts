import { tellOfError } from '../events/tell-of-error.ts';
import { Buffer } from 'node:buffer';
import type { Database, Transaction } from '../../database/port/database.ts';
import { insertId, readValue, write } from '../../database/port/query.ts';
import { inserted, one, run } from '../../database/port/steps.ts';
import { eventCounts, type GatheredCounts } from './event-counts-store.ts';
import { createGroup, findGroup, reopenError } from './event-groups-store.ts';
import { detachBuffer } from '../../common/detach-buffer.ts';
import { eventDictionaries, type PackedEvent } from './event-dictionaries-store.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import { eventRowBytes } from './stored-event.ts';

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

/** Duration of writing an event, in units of a row or two. */
export function weightOf({ tags }: PreparedEvent): number {
  return 1 + Math.max(0, tags.length - defaultTags) / 2;
}

export const duplicate: StoredEvent = { outcome: 'duplicate', errorId: null, change: null };

const known = readValue<[number, Buffer], number>('SELECT 1 FROM error_events WHERE project_id = ? AND event_id = ?');
const insert = insertId<[number, number, Buffer, number, number, string, string | null, string | null, Uint8Array]>(
  `INSERT INTO error_events (project_id, group_id, event_id, received_at, occurred_at, level, environment, release, payload)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, event_id) DO NOTHING`,
);
const addUser = write<[number, Buffer]>(
  'INSERT INTO error_users (group_id, user_hash) VALUES (?, ?) ON CONFLICT DO NOTHING',
);
const hasUser = readValue<[number, Buffer, number], number>(
  'SELECT 1 FROM error_groups JOIN error_users ON group_id = error_groups.id WHERE error_id = ? AND user_hash = ? AND group_id <> ? LIMIT 1',
);

function countDuplicate(counts: GatheredCounts, projectId: number, { receivedAt }: PreparedEvent): StoredEvent {
  counts.received(projectId, receivedAt, 'duplicate');
  return duplicate;
}

/** Writes events together with their counts, in a transaction shared with concurrent writes. */
export function eventsStore(database: Database): EventsStore {
  const dictionaries = eventDictionaries(database);
  const counted = eventCounts();

  function* writeEvent(
    { projectId, keyId, event, userHash }: EventToStore,
    packed: PackedEvent,
    counts: GatheredCounts,
  ): Transaction<StoredEvent> {
    const eventId = Buffer.from(event.eventId, 'hex');
    const found = yield* findGroup(projectId, event);
    // Inserting tells duplicates too, but only after a group or a dictionary would have been made.
    if ((found === null || packed.dictionary === null) && (yield* one(known, projectId, eventId)) !== null)
      return countDuplicate(counts, projectId, event);
    const group = found ?? (yield* createGroup(projectId, event));
    const { receivedAt, occurredAt, level, environment, release } = event;
    const { payload, bytes } = yield* dictionaries.payloadIn(group.id, packed);
    const rowId = yield* inserted(
      insert,
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
    if (rowId === null) return countDuplicate(counts, projectId, event);
    // After a merge, another group of the error may already have counted the same user.
    const newUser =
      userHash !== null &&
      (yield* run(addUser, group.id, userHash)) > 0 &&
      (yield* one(hasUser, group.errorId, userHash, group.id)) === null;
    const reopened = group.isResolved && (yield* reopenError(group, event));
    const change = group.isNew ? 'new' : reopened ? 'regressed' : null;
    if (change !== null) yield* tellOfError(change, projectId, group.errorId, event);
    counts.stored({
      projectId,
      keyId,
      groupId: group.id,
      errorId: group.errorId,
      rowId,
      newUser,
      bytes: bytes + eventRowBytes,
      event,
    });
    return { outcome: 'stored', errorId: group.errorId, change };
  }

  return {
    add: async (event) => {
      const packed = await dictionaries.pack(event.projectId, event.event);
      try {
        return await database.gathered((counts) => writeEvent(event, packed, counts), counted, weightOf(event.event));
      } finally {
        detachBuffer(packed.payload, packed.payload.length);
      }
    },
  };
}
