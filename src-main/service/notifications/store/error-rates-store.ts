import type { Database } from '../../database/port/database.ts';
import { joinInOrder } from '../../database/port/dialect.ts';
import { read } from '../../database/port/query.ts';

/** Hours are counted since 1970. */
export interface HourCount {
  readonly hour: number;
  readonly count: number;
}

export interface BusyProject {
  readonly id: number;
  readonly name: string;
}

export interface BusyError {
  readonly id: number;
  readonly type: string;
  readonly value: string;
}

export interface ErrorRatesStore {
  /** Projects that received at least so many events within an hour or the one before it. */
  busyProjects(hour: number, least: number): Promise<readonly BusyProject[]>;
  /** Events of a project, also refused ones, by hour; hours without any are left out. */
  ofProject(projectId: number, since: number): Promise<readonly HourCount[]>;
  /** Unresolved errors of a project that came since a time, and at least so often altogether, at most 100. */
  busyErrors(projectId: number, sinceMs: number, least: number): Promise<readonly BusyError[]>;
  ofError(errorId: number, since: number): Promise<readonly HourCount[]>;
}

// Items are sessions, attachments and the like.
const isEvent = `substr(outcome, 1, 5) <> 'item:'`;
const busyProjects = read<{ hour: number; before: number; least: number }, BusyProject>(
  `SELECT projects.id, projects.name FROM projects ${joinInOrder} ingest_counts AS c ON c.project_id = projects.id
   WHERE c.hour IN (@before, @hour) AND ${isEvent} AND substr(projects.path, 1, 1) <> '-'
   GROUP BY projects.id, projects.name HAVING sum(c.count) >= @least ORDER BY projects.id`,
);
const ofProject = read<[number, number], HourCount>(
  `SELECT hour, CAST(sum(count) AS bigint) AS count FROM ingest_counts WHERE project_id = ? AND hour >= ? AND ${isEvent}
   GROUP BY hour`,
);
const busyErrors = read<[number, number, number], BusyError>(
  `SELECT id, type, value FROM errors WHERE project_id = ? AND status = 'unresolved' AND last_seen >= ? AND events >= ?
   ORDER BY last_seen DESC, id LIMIT 100`,
);
const ofError = read<[number, number], HourCount>(
  `SELECT hour, CAST(sum(h.events) AS bigint) AS count FROM error_groups AS g JOIN error_hours AS h ON h.group_id = g.id
   WHERE g.error_id = ? AND h.hour >= ? GROUP BY hour`,
);

/** How often events come, read from counts that are kept anyway. */
export function errorRatesStore(database: Database): ErrorRatesStore {
  return {
    busyProjects: async (hour, least) => database.all(busyProjects, { hour, before: hour - 1, least }),
    ofProject: async (projectId, since) => database.all(ofProject, projectId, since),
    busyErrors: async (projectId, sinceMs, least) => database.all(busyErrors, projectId, sinceMs, least),
    ofError: async (errorId, since) => database.all(ofError, errorId, since),
  };
}
