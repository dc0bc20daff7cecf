import type { Gathered, Transaction } from '../../database/port/database.ts';
import { write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import { countKeyUse } from './client-keys-store.ts';
import { countIngest } from './ingest-counts-store.ts';
import type { PreparedEvent } from '../events/prepare-event.ts';
import { tagValueWriter } from './tag-values-store.ts';

const hour = 3600_000;
const minute = 60_000;

/** A stored event, with the facts needed to count it. */
export interface CountedEvent {
  readonly projectId: number;
  readonly keyId: number;
  readonly groupId: number;
  readonly errorId: number;
  readonly rowId: number;
  /** Whether the event is the first of its user for this error. */
  readonly newUser: boolean;
  /** Bytes that its rows take in the database. */
  readonly bytes: number;
  readonly event: PreparedEvent;
}

/** The counts of one group's events, or of one error's. */
export interface OfGroup {
  readonly errorId: number;
  readonly firstRow: number;
  events: number;
  users: number;
  bytes: number;
  /** According to the events' own times, milliseconds since 1970. */
  firstSeen: number;
  lastSeen: number;
  /** According to the service's clock, which retention uses. */
  lastReceived: number;
  /** The earliest and the latest event that named a release. */
  firstRelease: ReleaseSeen | null;
  lastRelease: ReleaseSeen | null;
  /** The latest event, which gives the error its title. */
  newest: PreparedEvent;
  readonly hours: Map<number, number>;
  readonly minutes: Map<number, number>;
  readonly tags: Map<string, Map<string, Count>>;
}

interface ReleaseSeen {
  readonly release: string;
  readonly at: number;
}

interface Count {
  count: number;
  last: number;
}

/**
 * Collects the counts of the events in one transaction, so that many events of one error become one
 * update per table.
 */
export class GatheredCounts {
  readonly groups = new Map<number, OfGroup>();
  readonly keys = new Map<number, Count>();
  readonly intake = new Map<
    string,
    { readonly projectId: number; readonly hour: number; readonly outcome: string; count: number }
  >();

  stored({ projectId, keyId, groupId, errorId, rowId, newUser, bytes, event }: CountedEvent): void {
    const { receivedAt, occurredAt } = event;
    const group = this.groups.get(groupId) ?? newGroup(errorId, rowId, event);
    this.groups.set(groupId, group);
    group.events += 1;
    if (newUser) group.users += 1;
    group.bytes += bytes;
    group.lastReceived = Math.max(group.lastReceived, receivedAt);
    group.firstSeen = Math.min(group.firstSeen, occurredAt);
    if (occurredAt >= group.lastSeen) {
      group.lastSeen = occurredAt;
      group.newest = event;
    }
    if (event.release !== null) seeRelease(group, { release: event.release, at: occurredAt });
    const thisHour = Math.floor(occurredAt / hour);
    group.hours.set(thisHour, (group.hours.get(thisHour) ?? 0) + 1);
    const thisMinute = Math.floor(occurredAt / minute);
    group.minutes.set(thisMinute, (group.minutes.get(thisMinute) ?? 0) + 1);
    for (const [tag, value] of event.tags) {
      const values = group.tags.get(tag) ?? new Map<string, Count>();
      group.tags.set(tag, values);
      countTime(values, value, occurredAt);
    }
    countTime(this.keys, keyId, receivedAt);
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
  const none = {
    events: 0,
    users: 0,
    bytes: 0,
    firstSeen: Number.MAX_SAFE_INTEGER,
    lastSeen: 0,
    lastReceived: 0,
    firstRelease: null,
    lastRelease: null,
  };
  return { ...none, errorId, firstRow, newest: event, hours: new Map(), minutes: new Map(), tags: new Map() };
}

/** The counts of two groups of one error together, without their hours, minutes and tags. */
export function joinCounts(one: OfGroup, other: OfGroup): OfGroup {
  const joined = {
    ...one,
    events: one.events + other.events,
    users: one.users + other.users,
    firstSeen: Math.min(one.firstSeen, other.firstSeen),
    lastSeen: Math.max(one.lastSeen, other.lastSeen),
    newest: other.lastSeen >= one.lastSeen ? other.newest : one.newest,
  };
  if (other.firstRelease) seeRelease(joined, other.firstRelease);
  if (other.lastRelease) seeRelease(joined, other.lastRelease);
  return joined;
}

function seeRelease(group: OfGroup, { release, at }: ReleaseSeen): void {
  if (group.firstRelease === null || at < group.firstRelease.at) group.firstRelease = { release, at };
  if (group.lastRelease === null || at >= group.lastRelease.at) group.lastRelease = { release, at };
}

function countTime<Key>(counts: Map<Key, Count>, key: Key, at: number): void {
  const one = counts.get(key);
  if (one === undefined) {
    counts.set(key, { count: 1, last: at });
    return;
  }
  one.count += 1;
  one.last = Math.max(one.last, at);
}

interface SeenOfGroup {
  readonly events: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly firstReleaseAt: number | null;
  readonly lastRelease: string | null;
  readonly lastReleaseAt: number | null;
}

type SummaryFields = Pick<PreparedEvent, 'type' | 'value' | 'culprit' | 'level' | 'platform'>;

// An event that arrives late may change the first release, but not the last.
const releases = `first_release = iif(@firstReleaseAt < first_seen, @firstRelease, ifnull(first_release, @firstRelease)),
     last_release = iif(@lastReleaseAt >= last_seen, @lastRelease, ifnull(last_release, @lastRelease))`;

const countGroup = write<
  SeenOfGroup & {
    readonly id: number;
    readonly firstRow: number;
    readonly bytes: number;
    readonly lastReceived: number;
  }
>(
  `UPDATE error_groups SET events = events + @events, first_event_id = ifnull(first_event_id, @firstRow), first_seen = min(first_seen, @firstSeen),
     last_seen = max(last_seen, @lastSeen), last_received = max(last_received, @lastReceived), stored_bytes = stored_bytes + @bytes, ${releases} WHERE id = @id`,
);
// Runs before the next statement, which changes `last_seen`. Separate, so that the index on
// `first_seen` is not written for each event.
const seeEarlier = write<SeenOfGroup & { readonly errorId: number }>(
  `UPDATE errors SET first_seen = @firstSeen, first_release = iif(@firstReleaseAt < first_seen, @firstRelease, first_release)
   WHERE id = @errorId AND first_seen > @firstSeen`,
);
const countError = write<SeenOfGroup & SummaryFields & { readonly errorId: number; readonly users: number }>(
  `UPDATE errors SET events = events + @events, users = users + @users, last_seen = max(last_seen, @lastSeen),
     type = iif(@lastSeen >= last_seen, @type, type), value = iif(@lastSeen >= last_seen, @value, value),
     culprit = iif(@lastSeen >= last_seen, @culprit, culprit), level = iif(@lastSeen >= last_seen, @level, level),
     platform = iif(@lastSeen >= last_seen, @platform, platform), ${releases} WHERE id = @errorId`,
);
const countIn = (table: string, unit: string) =>
  write<[number, number, number]>(
    `INSERT INTO ${table} (group_id, ${unit}, events) VALUES (?, ?, ?) ON CONFLICT (group_id, ${unit}) DO UPDATE SET events = ${table}.events + excluded.events`,
  );
const countHour = countIn('error_hours', 'hour');
const countMinute = countIn('error_minutes', 'minute');

/** Writes the collected counts in the transaction that writes the events. */
export function eventCounts(): Gathered<GatheredCounts> {
  const countTag = tagValueWriter();

  function* writeGroup(
    id: number,
    {
      errorId,
      firstRow,
      events,
      users,
      bytes,
      firstSeen,
      lastSeen,
      lastReceived,
      firstRelease,
      lastRelease,
      newest,
      hours,
      minutes,
      tags,
    }: OfGroup,
  ): Transaction<void> {
    const seen: SeenOfGroup = {
      events,
      firstSeen,
      lastSeen,
      firstRelease: firstRelease?.release ?? null,
      firstReleaseAt: firstRelease?.at ?? null,
      lastRelease: lastRelease?.release ?? null,
      lastReleaseAt: lastRelease?.at ?? null,
    };
    yield* run(countGroup, { ...seen, id, firstRow, bytes, lastReceived });
    const { type, value, culprit, level, platform } = newest;
    yield* run(seeEarlier, { ...seen, errorId });
    yield* run(countError, { ...seen, errorId, users, type, value, culprit, level, platform });
    for (const [one, count] of hours) yield* run(countHour, id, one, count);
    for (const [one, count] of minutes) yield* run(countMinute, id, one, count);
    for (const [tag, values] of tags) {
      for (const [text, count] of values) yield* countTag(id, tag, text, count);
    }
  }

  return {
    begin: () => new GatheredCounts(),
    *end({ groups, keys, intake }) {
      for (const [id, group] of groups) yield* writeGroup(id, group);
      for (const [id, { count, last }] of keys) yield* countKeyUse(id, count, last);
      for (const one of intake.values()) yield* countIngest(one.projectId, one.hour, one.outcome, one.count);
    },
  };
}
