import type Database from 'better-sqlite3';

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

/** Events of an error, which may have several groups, in SQLite. */
export function errorEventStore(database: Database.Database): ErrorEventStore {
  // One index lookup per group; max() and min() over all groups at once would read every entry.
  const edge = (which: 'max' | 'min', condition: string) =>
    `(SELECT ${which}(edge) FROM (SELECT (SELECT ${which}(id) FROM error_events WHERE group_id = error_groups.id ${condition}) AS edge
      FROM error_groups WHERE error_id = @errorId))`;
  const columns =
    'id, event_id, payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample';
  const latest = database.prepare<[{ errorId: number }], StoredEventRow>(
    `SELECT ${columns} FROM error_events WHERE id = ${edge('max', '')}`,
  );
  const oldest = database.prepare<[{ errorId: number }], StoredEventRow>(
    `SELECT ${columns} FROM error_events WHERE id = ${edge('min', '')}`,
  );
  const byEventId = database.prepare<[number, Buffer, number], StoredEventRow>(
    `SELECT ${columns} FROM error_events WHERE project_id = ? AND event_id = ? AND group_id IN (SELECT id FROM error_groups WHERE error_id = ?)`,
  );
  const previous = database
    .prepare<[{ errorId: number; id: number }], Buffer>(
      `SELECT event_id FROM error_events WHERE id = ${edge('max', 'AND id < @id')}`,
    )
    .pluck();
  const next = database
    .prepare<[{ errorId: number; id: number }], Buffer>(
      `SELECT event_id FROM error_events WHERE id = ${edge('min', 'AND id > @id')}`,
    )
    .pluck();
  const kept = 'FROM error_groups JOIN error_events ON group_id = error_groups.id WHERE error_id = @errorId';
  const count = database.prepare<[{ errorId: number }], number>(`SELECT count(*) ${kept}`).pluck();
  const position = database.prepare<[{ errorId: number; id: number }], { position: number; of: number }>(
    `SELECT ifnull(sum(error_events.id <= @id), 0) AS position, count(*) AS "of" ${kept}`,
  );
  return {
    latest: async (errorId) => latest.get({ errorId }) ?? null,
    oldest: async (errorId) => oldest.get({ errorId }) ?? null,
    byEventId: async (projectId, errorId, eventId) => byEventId.get(projectId, eventId, errorId) ?? null,
    neighbours: async (errorId, id) => ({
      previous: previous.get({ errorId, id }) ?? null,
      next: next.get({ errorId, id }) ?? null,
    }),
    count: async (errorId) => count.get({ errorId }) ?? 0,
    position: async (errorId, id) => position.get({ errorId, id }) ?? { position: 0, of: 0 },
  };
}
