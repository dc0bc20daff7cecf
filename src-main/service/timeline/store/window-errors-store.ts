import { inSteps } from '../../database/in-steps.ts';
import type { Database } from '../../database/port/database.ts';
import { indexedBy, inNumbers } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import type { ErrorStatus } from '../../contract/errors.ts';
import type { ErrorRow } from '../../errors/store/list/error-rows.ts';
import { unitMs, type RunWindow, type TimeUnit } from './run-window.ts';

/** The events of an error within a window. */
export interface WindowCount {
  readonly errorId: number;
  readonly events: number;
  /** Units since 1970. */
  readonly first: number;
  readonly last: number;
}

export type WindowErrorRow = Pick<ErrorRow, 'id' | 'project_id' | 'status' | 'type' | 'value' | 'culprit' | 'level'>;

export interface WindowCounts {
  readonly counts: readonly WindowCount[];
  /** Events in each step of the window. */
  readonly steps: readonly number[];
  /** False when there are more errors than are looked at. */
  readonly complete: boolean;
}

export interface WindowErrorsStore {
  /** Counts the events of each error of these projects within a window. */
  counts(projectIds: readonly number[], window: RunWindow): Promise<WindowCounts>;
  rows(ids: readonly number[]): Promise<readonly WindowErrorRow[]>;
  /** Those of these projects whose errors are kept by an external backend. */
  external(projectIds: readonly number[]): Promise<readonly number[]>;
}

interface Candidate {
  readonly id: number;
  readonly lastSeen: number;
  readonly firstSeen: number;
}

/** Enough for a facility in trouble; an error costs some microseconds. */
const maxErrors = 20_000;
const errorsPerStep = 500;
const statuses: readonly ErrorStatus[] = ['unresolved', 'resolved', 'ignored'];

const seenSince = read<
  { project: number; status: ErrorStatus; from: number; last: number; id: number; limit: number },
  Candidate
>(
  `SELECT id, last_seen AS "lastSeen", first_seen AS "firstSeen" FROM errors ${indexedBy('errors_by_last_seen')}
   WHERE project_id = @project AND status = @status AND last_seen >= @from AND last_seen <= @last AND (last_seen < @last OR id > @id)
   ORDER BY last_seen DESC, id LIMIT @limit`,
);
const within = (unit: TimeUnit): string =>
  `FROM error_groups JOIN error_${unit}s ON group_id = error_groups.id
   WHERE ${inNumbers('error_id', '@ids')} AND ${unit} >= @from AND ${unit} < @until`;
const countsBy = (unit: TimeUnit) =>
  read<{ ids: string; from: number; until: number }, WindowCount>(
    `SELECT error_id AS "errorId", sum(error_${unit}s.events) AS events, min(${unit}) AS first, max(${unit}) AS last ${within(unit)} GROUP BY error_id`,
  );
const stepsBy = (unit: TimeUnit) =>
  read<{ ids: string; from: number; until: number; step: number }, { at: number; events: number }>(
    `SELECT (${unit} - CAST(@from AS bigint)) / CAST(@step AS bigint) AS at, sum(error_${unit}s.events) AS events ${within(unit)} GROUP BY 1`,
  );
const counts = { minute: countsBy('minute'), hour: countsBy('hour') };
const steps = { minute: stepsBy('minute'), hour: stepsBy('hour') };
const rows = read<[string], WindowErrorRow>(
  `SELECT id, project_id, status, type, value, culprit, level FROM errors WHERE ${inNumbers('id', '?')}`,
);
const external = readValue<[string], number>(
  `SELECT project_id FROM error_tracking_settings WHERE ${inNumbers('project_id', '?')} AND integrated = 0`,
);

/**
 * Finds errors by the time of their events. Errors that were not seen since the window began are
 * passed over by an index; of the others the counts by minute or hour are looked up, in steps between
 * which other requests are served.
 */
export function windowErrorsStore(database: Database): WindowErrorsStore {
  async function candidates(
    project: number,
    status: ErrorStatus,
    { unit, from, until }: RunWindow,
    take: (ids: readonly number[]) => Promise<boolean>,
  ): Promise<void> {
    let [last, id] = [Number.MAX_SAFE_INTEGER, 0];
    await inSteps(database.steps, errorsPerStep, async (limit) => {
      const asked = { project, status, from: from * unitMs[unit], last, id, limit };
      const found = await database.all(seenSince, asked);
      const lowest = found.at(-1);
      if (!lowest) return false;
      ({ lastSeen: last, id } = lowest);
      const ids = found.filter(({ firstSeen }) => firstSeen < until * unitMs[unit]).map((one) => one.id);
      return (await take(ids)) && found.length === limit;
    });
  }

  return {
    counts: async (projectIds, window) => {
      const { unit, from, until, step } = window;
      const found: WindowCount[] = [];
      const bars = Array.from({ length: Math.ceil((until - from) / step) }, () => 0);
      let looked = 0;
      const count = async (ids: readonly number[]): Promise<boolean> => {
        if (ids.length > 0) {
          const asked = { ids: JSON.stringify(ids), from, until };
          found.push(...(await database.all(counts[unit], asked)));
          for (const { at, events } of await database.all(steps[unit], { ...asked, step }))
            bars[at] = (bars[at] ?? 0) + events;
        }
        looked += ids.length;
        return looked < maxErrors;
      };
      for (const project of projectIds)
        for (const status of statuses) if (looked < maxErrors) await candidates(project, status, window, count);
      return { counts: found, steps: bars, complete: looked < maxErrors };
    },
    rows: async (ids) => database.all(rows, JSON.stringify(ids)),
    external: async (projectIds) => database.all(external, JSON.stringify(projectIds)),
  };
}
