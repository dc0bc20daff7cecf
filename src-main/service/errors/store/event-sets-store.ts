import { tellOfError } from '../events/tell-of-error.ts';
import { Buffer } from 'node:buffer';
import { jsonRows } from '../../database/port/json-rows.ts';
import type { Transaction } from '../../database/port/database.ts';
import type { StoreContext } from '../../database/store-context.ts';
import { rowsOf } from '../../database/port/dialect.ts';
import { read, write } from '../../database/port/query.ts';
import { all, returningAll } from '../../database/port/steps.ts';
import { detachBuffer } from '../../common/detach-buffer.ts';
import { GatheredCounts } from './event-counts-store.ts';
import { writeCountSets } from './event-count-sets-store.ts';
import { eventDictionaries, type PackedEvent } from './event-dictionaries-store.ts';
import { groupKeyOf, groupsOf } from './event-group-sets-store.ts';
import { reopenError, type EventGroup } from './event-groups-store.ts';
import { duplicate, weightOf, type EventsStore, type EventToStore, type StoredEvent } from './events-store.ts';
import { eventRowBytes } from './stored-event.ts';

interface PackedItem extends EventToStore {
  readonly packed: PackedEvent;
}

/** An event with its group. */
interface PlacedEvent extends PackedItem {
  readonly group: EventGroup;
}

interface StoredRow extends PlacedEvent {
  readonly rowId: number;
  readonly bytes: number;
}

// A batch holds its payloads once more until its commit: 250 times this.
const bytesPerWeight = 16 * 1024;

// A subquery for each row always looks into the index. A join may be planned while the table is small,
// and PostgreSQL keeps such a plan until it has analysed the table.
const known = read<{ events: string }, { at: number }>(
  `SELECT at FROM (
     SELECT x.at, (SELECT 1 FROM error_events WHERE project_id = x.project AND event_id = decode(x.event, 'hex') LIMIT 1) AS found
     FROM ${rowsOf('@events', 'at bigint, project bigint, event text')}) AS looked WHERE found IS NOT NULL`,
);
// Payloads are parts of one value: an array of them would travel as text.
const insert = write<{ events: string; payloads: Uint8Array }, { id: number; project: number; event: string }>(
  `INSERT INTO error_events (project_id, group_id, event_id, received_at, occurred_at, level, environment, release, payload)
   SELECT project, "group", decode(event, 'hex'), received, occurred, level, environment, release,
     substring(CAST(@payloads AS bytea) FROM start FOR length)
   FROM ${rowsOf('@events', 'project bigint, "group" bigint, event text, received bigint, occurred bigint, level text, environment text, release text, start integer, length integer')}
   ORDER BY project, event ON CONFLICT (project_id, event_id) DO NOTHING
   RETURNING id, project_id AS project, encode(event_id, 'hex') AS event`,
);
// After a merge, another group of the error may already have counted the user.
const addUsers = write<{ users: string }, { group: number; user: string }>(
  `WITH added AS (
     INSERT INTO error_users (group_id, user_hash)
     SELECT DISTINCT "group", decode("user", 'hex') FROM ${rowsOf('@users', '"group" bigint, "user" text')} ORDER BY 1, 2
     ON CONFLICT DO NOTHING RETURNING group_id, user_hash
   )
   SELECT group_id AS "group", encode(user_hash, 'hex') AS "user" FROM added JOIN error_groups ON error_groups.id = group_id
   WHERE NOT EXISTS (
     SELECT 1 FROM error_groups AS others JOIN error_users ON error_users.group_id = others.id
     WHERE others.error_id = error_groups.error_id AND others.id <> added.group_id AND error_users.user_hash = added.user_hash)`,
);

/**
 * Writes the events of many requests as sets of rows, for PostgreSQL: each row costs its share of a
 * dozen statements instead of a dozen of its own. Every transaction takes its locks in one order, so
 * that replicas wait for each other and never in a circle: new groups by their keys, errors and groups
 * by their ids, events by theirs, then counts.
 */
export function eventSetsStore({ database, retried }: Pick<StoreContext, 'database' | 'retried'>): EventsStore {
  const dictionaries = eventDictionaries(database);

  /** Writes the rows of new events; others are the duplicates of concurrent transactions. */
  function* insertEvents(placed: readonly PlacedEvent[]): Transaction<readonly StoredRow[]> {
    const payloads: Uint8Array[] = [];
    const bytes: number[] = [];
    let start = 1;
    const rows = [];
    for (const { projectId, group, event, packed } of placed) {
      const stored = yield* dictionaries.payloadIn(group.id, packed);
      payloads.push(stored.payload);
      bytes.push(stored.bytes + eventRowBytes);
      const { eventId, receivedAt, occurredAt, level, environment, release } = event;
      const { length } = stored.payload;
      const columns = { received: receivedAt, occurred: occurredAt, level, environment, release };
      rows.push({ project: projectId, group: group.id, event: eventId, ...columns, start, length });
      start += length;
    }
    const inserted = yield* returningAll(insert, { events: jsonRows(rows), payloads: Buffer.concat(payloads) });
    const ids = new Map(inserted.map(({ id, project, event }) => [`${project} ${event}`, id]));
    return placed.flatMap((one, at) => {
      const rowId = ids.get(`${one.projectId} ${one.event.eventId}`);
      return rowId === undefined ? [] : [{ ...one, rowId, bytes: bytes[at] ?? 0 }];
    });
  }

  function* writeBatch(items: readonly PackedItem[]): Transaction<readonly StoredEvent[]> {
    const counts = new GatheredCounts();
    // Groups with dictionaries exist, and inserting tells duplicates. Where groups may have to be made,
    // none is for a duplicate.
    const probable = items.every(({ packed }) => packed.dictionary !== null);
    const fresh = yield* withoutDuplicates(items, probable);
    const groups = yield* groupsOf(fresh, probable);
    const placed = fresh.flatMap((item) => {
      const group = groups.get(groupKeyOf(item));
      return group ? [{ ...item, group }] : [];
    });
    const stored = new Map<EventToStore['event'], StoredRow>();
    for (const row of yield* insertEvents(placed)) stored.set(row.event, row);
    const newUsers = yield* countUsers([...stored.values()]);
    const announced = new Set<number>();
    const results: StoredEvent[] = [];
    for (const { event, projectId } of items) {
      const row = stored.get(event);
      if (row) results.push(yield* countStored(row, counts, newUsers.has(event), announced));
      else {
        counts.received(projectId, event.receivedAt, 'duplicate');
        results.push(duplicate);
      }
    }
    yield* writeCountSets(counts);
    return results;
  }

  const { add } = retried({
    add: database.batched(
      writeBatch,
      ({ event, packed }: PackedItem) => weightOf(event) + packed.payload.length / bytesPerWeight,
    ),
  });
  return {
    add: async (event) => {
      const packed = await dictionaries.pack(event.projectId, event.event);
      try {
        return await add({ ...event, packed });
      } finally {
        detachBuffer(packed.payload, packed.payload.length);
      }
    },
  };
}

/** @returns each id once, and those that are stored only if `unchecked`. */
function* withoutDuplicates(items: readonly PackedItem[], unchecked: boolean): Transaction<readonly PackedItem[]> {
  const rows = items.map(({ projectId, event }, at) => ({ at, project: projectId, event: event.eventId }));
  const stored = new Set(unchecked ? [] : (yield* all(known, { events: jsonRows(rows) })).map(({ at }) => at));
  const seen = new Set<string>();
  return items.filter(({ projectId, event }, at) => {
    const id = `${projectId} ${event.eventId}`;
    if (stored.has(at) || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** The first event of each user for an error. */
function* countUsers(rows: readonly StoredRow[]): Transaction<ReadonlySet<EventToStore['event']>> {
  const users = rows.flatMap(({ group, userHash }) =>
    userHash === null ? [] : [{ group: group.id, user: userHash.toString('hex') }],
  );
  if (users.length === 0) return new Set();
  const added = yield* returningAll(addUsers, { users: jsonRows(users) });
  const waiting = new Set(added.map(({ group, user }) => `${group} ${user}`));
  const counted = new Set<string>();
  const first = new Set<EventToStore['event']>();
  for (const { group, userHash, event } of rows) {
    const user = userHash?.toString('hex') ?? '';
    const ofError = `${group.errorId} ${user}`;
    if (!waiting.has(`${group.id} ${user}`) || counted.has(ofError)) continue;
    counted.add(ofError);
    first.add(event);
  }
  return first;
}

/** @param announced ids of errors of which this batch told a change already. */
function* countStored(
  row: StoredRow,
  counts: GatheredCounts,
  newUser: boolean,
  announced: Set<number>,
): Transaction<StoredEvent> {
  const { projectId, keyId, group, event, rowId, bytes } = row;
  const { id: groupId, errorId } = group;
  counts.stored({ projectId, keyId, groupId, errorId, rowId, newUser, bytes, event });
  const told = announced.has(errorId);
  const reopened = !told && group.isResolved && (yield* reopenError(group, event));
  const change = told ? null : group.isNew ? 'new' : reopened ? 'regressed' : null;
  if (change !== null) {
    announced.add(errorId);
    yield* tellOfError(change, projectId, errorId, event);
  }
  return { outcome: 'stored', errorId, change };
}
