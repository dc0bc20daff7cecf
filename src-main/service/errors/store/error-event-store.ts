import type { Database } from '../../database/port/database.ts';
import { read, readValue } from '../../database/port/query.ts';

export interface StoredEventRow {
  readonly id: number;
  readonly event_id: Buffer;
  readonly payload: Buffer;
  /** The dictionary of the event's group, which the payload may refer to. */
  readonly sample: Buffer | null;
}

export interface ErrorEventStore {
  latest(errorId: number): Promise<StoredEventRow | null>;
  oldest(errorId: number): Promise<StoredEventRow | null>;
  /** @returns null also when the event belongs to another error. */
  byEventId(projectId: number, errorId: number, eventId: Buffer): Promise<StoredEventRow | null>;
  /** Returns the ids of the events received before and after the given one. */
  neighbours(errorId: number, id: number): Promise<{ readonly previous: Buffer | null; readonly next: Buffer | null }>;
  /** Returns the number of stored events. */
  count(errorId: number): Promise<number>;
  /** Returns the number of stored events and how many of them are not newer than the given one. */
  position(errorId: number, id: number): Promise<{ readonly position: number; readonly of: number }>;
}

// One index lookup per group; max() and min() over all groups at once would read every entry.
const edge = (which: 'max' | 'min', condition: string) =>
  `(SELECT ${which}(edge) FROM (SELECT (SELECT ${which}(id) FROM error_events WHERE group_id = error_groups.id ${condition}) AS edge
    FROM error_groups WHERE error_id = @errorId) AS edges)`;
const columns =
  'id, event_id, payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample';
const kept = 'FROM error_groups JOIN error_events ON group_id = error_groups.id WHERE error_id = @errorId';

const latest = read<{ errorId: number }, StoredEventRow>(
  `SELECT ${columns} FROM error_events WHERE id = ${edge('max', '')}`,
);
const oldest = read<{ errorId: number }, StoredEventRow>(
  `SELECT ${columns} FROM error_events WHERE id = ${edge('min', '')}`,
);
const byEventId = read<[number, Buffer, number], StoredEventRow>(
  `SELECT ${columns} FROM error_events WHERE project_id = ? AND event_id = ? AND group_id IN (SELECT id FROM error_groups WHERE error_id = ?)`,
);
const previous = readValue<{ errorId: number; id: number }, Buffer>(
  `SELECT event_id FROM error_events WHERE id = ${edge('max', 'AND id < @id')}`,
);
const next = readValue<{ errorId: number; id: number }, Buffer>(
  `SELECT event_id FROM error_events WHERE id = ${edge('min', 'AND id > @id')}`,
);
const count = readValue<{ errorId: number }, number>(`SELECT count(*) ${kept}`);
const position = read<{ errorId: number; id: number }, { position: number; of: number }>(
  `SELECT count(*) FILTER (WHERE error_events.id <= @id) AS position, count(*) AS "of" ${kept}`,
);

/** Events of an error, which may have several groups. */
export function errorEventStore(database: Database): ErrorEventStore {
  return {
    latest: async (errorId) => database.one(latest, { errorId }),
    oldest: async (errorId) => database.one(oldest, { errorId }),
    byEventId: async (projectId, errorId, eventId) => database.one(byEventId, projectId, eventId, errorId),
    neighbours: async (errorId, id) => ({
      previous: await database.one(previous, { errorId, id }),
      next: await database.one(next, { errorId, id }),
    }),
    count: async (errorId) => (await database.one(count, { errorId })) ?? 0,
    position: async (errorId, id) => (await database.one(position, { errorId, id })) ?? { position: 0, of: 0 },
  };
}
