import type { Database } from '../../database/port/database.ts';
import { read, readValue } from '../../database/port/query.ts';
import type { ErrorRow } from './list/error-rows.ts';

export interface GroupRow {
  readonly id: number;
  readonly first_seen: number;
  readonly last_seen: number;
  readonly events: number;
  readonly first_release: string | null;
}

export interface ReleaseFirst {
  readonly release: string;
  readonly first: number;
  readonly events: number;
}

export interface ValueCount {
  readonly value: string;
  readonly events: number;
  readonly last_seen: number;
}

export interface ErrorDetailStore {
  byId(projectId: number, errorId: number): Promise<ErrorRow | null>;
  /** Returns the project of an error. */
  projectOf(errorId: number): Promise<number | null>;
  groups(errorId: number): Promise<readonly GroupRow[]>;
  /** Returns the number of events by hour, beginning with hour `from`. */
  hours(errorId: number, from: number): Promise<readonly { readonly hour: number; readonly events: number }[]>;
  /**
   * Returns the first event of each release among the newest `limit` stored events of each group,
   * and how many of these name it.
   */
  releases(groupIds: readonly number[], limit: number): Promise<readonly ReleaseFirst[]>;
  /**
   * Returns the tag of a group that follows `tag` in order of names; the first one for an empty
   * text.
   */
  tagAfter(groupId: number, tag: string): Promise<string | null>;
  values(groupId: number, tag: string, limit: number): Promise<readonly ValueCount[]>;
}

const byId = read<[number, number], ErrorRow>('SELECT * FROM errors WHERE id = ? AND project_id = ?');
const projectOf = readValue<[number], number>('SELECT project_id FROM errors WHERE id = ?');
const groups = read<[number], GroupRow>(
  'SELECT id, first_seen, last_seen, events, first_release FROM error_groups WHERE error_id = ? ORDER BY first_seen, id',
);
const hours = read<[number, number], { hour: number; events: number }>(
  `SELECT hour, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
   WHERE error_id = ? AND hour >= ? GROUP BY hour`,
);
const releases = read<[number, number], ReleaseFirst>(
  `SELECT release, min(occurred_at) AS first, count(*) AS events
   FROM (SELECT release, occurred_at FROM error_events WHERE group_id = ? ORDER BY id DESC LIMIT ?) AS kept WHERE release IS NOT NULL GROUP BY release`,
);
const tagAfter = readValue<[number, string], string>(
  'SELECT tag FROM error_tags WHERE group_id = ? AND tag > ? ORDER BY tag LIMIT 1',
);
const values = read<[number, string, number], ValueCount>(
  'SELECT value, events, last_seen FROM error_tags WHERE group_id = ? AND tag = ? ORDER BY value LIMIT ?',
);

/** Queries of the detail view of an error. */
export function errorDetailStore(database: Database): ErrorDetailStore {
  return {
    byId: async (projectId, errorId) => database.one(byId, errorId, projectId),
    projectOf: async (errorId) => database.one(projectOf, errorId),
    groups: async (errorId) => database.all(groups, errorId),
    hours: async (errorId, from) => database.all(hours, errorId, from),
    releases: async (groupIds, limit) =>
      (await Promise.all(groupIds.map(async (id) => database.all(releases, id, limit)))).flat(),
    tagAfter: async (groupId, tag) => database.one(tagAfter, groupId, tag),
    values: async (groupId, tag, limit) => database.all(values, groupId, tag, limit),
  };
}
