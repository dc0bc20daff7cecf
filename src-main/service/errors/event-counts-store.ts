import type Database from 'better-sqlite3';
import type { Gathered } from '../database/group-commit.ts';
import { clientKeyUseWriter } from './client-keys-store.ts';
import { ingestCountWriter } from './ingest-counts-store.ts';
import type { PreparedEvent } from './prepare-event.ts';

const hour = 3600_000;
const mostValues = 1000;

/** An event that is stored. */
export interface CountedEvent {
  readonly projectId: number;
  readonly keyId: number;
  readonly groupId: number;
  readonly errorId: number;
  readonly rowId: number;
  /** Whether it hit somebody whom the error had not hit before. */
  readonly newUser: boolean;
  readonly event: PreparedEvent;
}

interface OfGroup {
  readonly errorId: number;
  readonly firstRow: number;
  events: number;
  users: number;
  lastSeen: number;
  firstRelease: string | null;
  lastRelease: string | null;
  /** What the error is called after. */
  newest: PreparedEvent;
  readonly hours: Map<number, number>;
  readonly tags: Map<string, Map<string, Count>>;
}

interface Count {
  count: number;
  last: number;
}

/** What has to be counted for the events of one transaction: a storm of one error is one row of each table. */
export class EventCounts {
  readonly groups = new Map<number, OfGroup>();
  readonly keys = new Map<number, Count>();
  readonly intake = new Map<string, { readonly projectId: number; readonly hour: number; readonly outcome: string; count: number }>();

  stored({ projectId, keyId, groupId, errorId, rowId, newUser, event }: CountedEvent): void {
    const { receivedAt, release } = event;
    const group = this.groups.get(groupId) ?? newGroup(errorId, rowId, event);
    this.groups.set(groupId, group);
    group.events += 1;
    if (newUser) group.users += 1;
    group.lastSeen = Math.max(group.lastSeen, receivedAt);
    group.firstRelease ??= release;
    group.lastRelease = release ?? group.lastRelease;
    group.newest = event;
    const thisHour = Math.floor(receivedAt / hour);
    group.hours.set(thisHour, (group.hours.get(thisHour) ?? 0) + 1);
    for (const [tag, value] of event.tags) {
      const values = group.tags.get(tag) ?? new Map<string, Count>();
      group.tags.set(tag, values);
      countIn(values, value, receivedAt);
    }
    countIn(this.keys, keyId, receivedAt);
    this.received(projectId, receivedAt, 'accepted');
  }

  received(projectId: number, receivedAt: number, outcome: string): void {
    const thisHour = Math.floor(receivedAt / hour);
    const key = `${projectId} ${thisHour} ${outcome}`;
    const one = this.intake.get(key) ?? { projectId, hour: thisHour, outcome, count: 0 };
    one.count += 1;
    this.intake.set(key, one);
  }
}

function newGroup(errorId: number, firstRow: number, event: PreparedEvent): OfGroup {
  const none = { events: 0, users: 0, lastSeen: 0, firstRelease: null, lastRelease: null };
  return { ...none, errorId, firstRow, newest: event, hours: new Map(), tags: new Map() };
}

function countIn<Key>(counts: Map<Key, Count>, key: Key, at: number): void {
  const one = counts.get(key);
  if (one === undefined) {
    counts.set(key, { count: 1, last: at });
    return;
  }
  one.count += 1;
  one.last = Math.max(one.last, at);
}

/** Writes what was counted, in the transaction that writes the events. */
export function eventCounts(database: Database.Database): Gathered<EventCounts> {
  const countGroup = database.prepare<[number, number, number, string | null, string | null, number]>(
    `UPDATE error_groups SET events = events + ?, first_event_id = ifnull(first_event_id, ?), last_seen = max(last_seen, ?),
       first_release = ifnull(first_release, ?), last_release = ifnull(?, last_release) WHERE id = ?`,
  );
  const countError = database.prepare<[number, number, number, string, string, string, string, string, string | null, string | null, number]>(
    `UPDATE errors SET events = events + ?, users = users + ?, last_seen = max(last_seen, ?), type = ?, value = ?, culprit = ?, level = ?, platform = ?,
       first_release = ifnull(first_release, ?), last_release = ifnull(?, last_release) WHERE id = ?`,
  );
  const countHour = database.prepare<[number, number, number]>(
    'INSERT INTO error_hours (group_id, hour, events) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events',
  );
  const countTag = database.prepare<[number, number, number, string, string]>(
    'UPDATE error_tags SET events = events + ?, last_seen = max(last_seen, ?) WHERE group_id = ? AND tag = ? AND value = ?',
  );
  // A tag such as the number of a request would have a row for each event, for ever; the first thousand values are what people look at.
  const addTag = database.prepare<[number, string, string, number, number, number, string]>(
    `INSERT INTO error_tags (group_id, tag, value, events, last_seen) SELECT ?, ?, ?, ?, ?
     WHERE (SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE group_id = ? AND tag = ? LIMIT ${mostValues})) < ${mostValues}`,
  );
  const countKey = clientKeyUseWriter(database);
  const countIntake = ingestCountWriter(database);

  function write(id: number, { errorId, firstRow, events, users, lastSeen, firstRelease, lastRelease, newest, hours, tags }: OfGroup): void {
    countGroup.run(events, firstRow, lastSeen, firstRelease, lastRelease, id);
    const { type, value, culprit, level, platform } = newest;
    countError.run(events, users, lastSeen, type, value, culprit, level, platform, firstRelease, lastRelease, errorId);
    for (const [one, count] of hours) countHour.run(id, one, count);
    for (const [tag, values] of tags) {
      for (const [text, { count, last }] of values) {
        if (countTag.run(count, last, id, tag, text).changes === 0) addTag.run(id, tag, text, count, last, id, tag);
      }
    }
  }

  return {
    begin: () => new EventCounts(),
    end: ({ groups, keys, intake }) => {
      for (const [id, group] of groups) write(id, group);
      for (const [id, { count, last }] of keys) countKey(id, count, last);
      for (const one of intake.values()) countIntake(one.projectId, one.hour, one.outcome, one.count);
    },
  };
}
