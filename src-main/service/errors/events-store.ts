import { Buffer } from 'node:buffer';
import type Database from 'better-sqlite3';
import type { GroupCommit } from '../database/group-commit.ts';
import { clientKeyUseWriter } from './client-keys-store.ts';
import { groupWriter } from './event-groups-store.ts';
import { ingestCountWriter } from './ingest-counts-store.ts';
import type { PreparedEvent } from './prepare-event.ts';

const hour = 3600_000;
const mostValues = 1000;

/** What became of an event; `change` when people want to hear of it. */
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
  /** @returns what became of it, when it is on disk. */
  add(one: EventToStore): Promise<StoredEvent>;
}

/** Writes events with everything that is counted with them, in one transaction with whatever else is written at the same time. */
export function eventsStore(database: Database.Database, groupCommit: GroupCommit): EventsStore {
  const known = database.prepare<[number, Buffer], number>('SELECT 1 FROM error_events WHERE project_id = ? AND event_id = ?').pluck();
  const insert = database.prepare<[number, number, Buffer, number, number, string, string | null, string | null, Uint8Array]>(
    `INSERT INTO error_events (project_id, group_id, event_id, received_at, occurred_at, level, environment, release, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addHour = database.prepare<[number, number]>(
    'INSERT INTO error_hours (group_id, hour, events) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET events = events + 1',
  );
  const countTag = database.prepare<[number, number, string, string]>(
    'UPDATE error_tags SET events = events + 1, last_seen = max(last_seen, ?) WHERE group_id = ? AND tag = ? AND value = ?',
  );
  // A tag such as the number of a request would have a row for each event, for ever; the first thousand values are what people look at.
  const addTag = database.prepare<[number, string, string, number, number, string]>(
    `INSERT INTO error_tags (group_id, tag, value, events, last_seen) SELECT ?, ?, ?, 1, ?
     WHERE (SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE group_id = ? AND tag = ? LIMIT ${mostValues})) < ${mostValues}`,
  );
  const hasUser = database
    .prepare<[number, Buffer], number>('SELECT 1 FROM error_groups JOIN error_users ON group_id = error_groups.id WHERE error_id = ? AND user_hash = ? LIMIT 1')
    .pluck();
  const addUser = database.prepare<[number, Buffer]>('INSERT INTO error_users (group_id, user_hash) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const countUser = database.prepare<[number]>('UPDATE errors SET users = users + 1 WHERE id = ?');
  const groups = groupWriter(database);
  const countKey = clientKeyUseWriter(database);
  const count = ingestCountWriter(database);

  function write({ projectId, keyId, event, userHash }: EventToStore): StoredEvent {
    const eventId = Buffer.from(event.eventId, 'hex');
    const thisHour = Math.floor(event.receivedAt / hour);
    if (known.get(projectId, eventId) !== undefined) {
      count(projectId, thisHour, 'duplicate', 1);
      return { outcome: 'duplicate', errorId: null, change: null };
    }
    const group = groups.find(projectId, event) ?? groups.create(projectId, event);
    const { lastInsertRowid } = insert.run(
      projectId,
      group.id,
      eventId,
      event.receivedAt,
      event.occurredAt,
      event.level,
      event.environment,
      event.release,
      event.payload,
    );
    const change = groups.countEvent(group, event, lastInsertRowid);
    addHour.run(group.id, thisHour);
    for (const [tag, value] of event.tags) {
      const { changes } = countTag.run(event.receivedAt, group.id, tag, value);
      if (changes === 0) addTag.run(group.id, tag, value, event.receivedAt, group.id, tag);
    }
    if (userHash !== null) {
      // Of a merged error the same person may have been hit by another group.
      const isKnown = hasUser.get(group.errorId, userHash) !== undefined;
      addUser.run(group.id, userHash);
      if (!isKnown) countUser.run(group.errorId);
    }
    countKey(keyId, 1, event.receivedAt);
    count(projectId, thisHour, 'accepted', 1);
    return { outcome: 'stored', errorId: group.errorId, change };
  }

  return { add: async (one) => groupCommit.run(() => write(one)) };
}
