import type { Database } from '../../database/port/database.ts';
import { read } from '../../database/port/query.ts';

export interface ReleaseDayRow {
  readonly release: string;
  readonly environment: string;
  readonly day: number;
  readonly sessions: number;
  readonly crashed: number;
}

export interface ReleaseUsers {
  readonly users: number;
  readonly crashed: number;
}

export interface ReleasesStore {
  /** Returns the counts of each day, beginning with day `from`. */
  days(projectId: number, from: number): Promise<readonly ReleaseDayRow[]>;
  /** Counts the distinct users of a release, and those with a crashed session. */
  users(projectId: number, release: string, environment: string, from: number): Promise<ReleaseUsers>;
  usersByDay(
    projectId: number,
    release: string,
    environment: string,
    from: number,
  ): Promise<readonly (ReleaseUsers & { readonly day: number })[]>;
}

type Which = [number, string, string, number];

const ofRelease = 'FROM release_users WHERE project_id = ? AND release = ? AND environment = ? AND day >= ?';

const days = read<[number, number], ReleaseDayRow>(
  'SELECT release, environment, day, sessions, crashed FROM release_days WHERE project_id = ? AND day >= ? ORDER BY day',
);
const users = read<Which, ReleaseUsers>(
  `SELECT count(*) AS users, ifnull(sum(crashed), 0) AS crashed FROM (SELECT max(crashed) AS crashed ${ofRelease} GROUP BY user_hash) AS seen`,
);
const usersByDay = read<Which, ReleaseUsers & { day: number }>(
  `SELECT day, count(*) AS users, sum(crashed) AS crashed ${ofRelease} GROUP BY day`,
);

/** Session counts of releases. */
export function releasesStore(database: Database): ReleasesStore {
  return {
    days: async (projectId, from) => database.all(days, projectId, from),
    users: async (...which) => (await database.one(users, ...which)) ?? { users: 0, crashed: 0 },
    usersByDay: async (...which) => database.all(usersByDay, ...which),
  };
}
