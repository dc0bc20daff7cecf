import { repeatedly } from '../../common/repeatedly.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { RetentionClock } from '../../database/retention-clock.ts';
import { clearAway } from '../registration/remove.ts';
import { settleRemoved, type RemovedDeps } from './keep-removed.ts';
import { markRemoved } from './removed-mark.ts';
import { continueRestoring } from './restore-removed.ts';
import type { RemovedRow } from './store/removed-rows.ts';

const everyMs = 60_000;
const rowsPerPage = 100;

/**
 * Removes a removed measurement for good, with the files that only it used; those outside the
 * library are not touched. What a kill interrupts is continued by {@link continueRemovals}.
 *
 * @throws HttpProblem 404 when it was restored or purged meanwhile.
 */
export async function purgeRemoved(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  if (row.stage === 'leaving') await settleRemoved(deps, row);
  if (!(await deps.removed.beginPurging(row.id)))
    throw new HttpProblem(404, `${row.measurement_id} was restored or removed for good meanwhile.`, {
      type: 'not-removed',
    });
  await finishPurging(deps, row);
}

async function finishPurging(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  const measurement = await deps.measurements.byId(row.kept_id);
  // The object is noted for its removal in the transaction in which the last row goes.
  if (measurement) await clearAway(deps, measurement);
  deps.events.emit('changed', { topic: 'measurements', id: row.measurement_id });
}

/**
 * Continues what was interrupted, purges those whose days are over, and marks those that the object
 * storage does not know of. One that fails holds up no other.
 *
 * @param now the time for their age.
 */
export async function continueRemovals(deps: RemovedDeps, now: number, signal: AbortSignal): Promise<void> {
  await forEach(
    async (after) => deps.removed.due(now, after, rowsPerPage),
    async (row) => continueOne(deps, row),
  );
  const { objectStorage } = deps;
  if (!objectStorage) return;
  await forEach(
    async (after) => deps.removed.unmarked(after, rowsPerPage),
    async (row) => markRemoved(deps, objectStorage, row, signal),
  );

  async function forEach(
    page: (after: number) => Promise<readonly RemovedRow[]>,
    work: (row: RemovedRow) => Promise<void>,
  ): Promise<void> {
    for (let after = 0; ;) {
      const rows = await page(after);
      for (const row of rows) {
        if (signal.aborted) return;
        await work(row).catch((error: unknown) =>
          deps.log.warn({ err: error, measurement: row.measurement_id }, 'a removed measurement is not dealt with yet'),
        );
        after = row.id;
      }
      if (rows.length < rowsPerPage) return;
    }
  }
}

async function continueOne(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  switch (row.stage) {
    case 'leaving':
      return settleRemoved(deps, row);
    case 'restoring':
      return continueRestoring(deps, row);
    case 'kept':
      return purgeRemoved(deps, row);
    case 'purging':
      return finishPurging(deps, row);
  }
}

/** Does so from time to time. @returns a function that stops it. */
export function continueRemovalsOnSchedule(
  deps: RemovedDeps & { readonly retentionClock: Pick<RetentionClock, 'now'> },
): () => Promise<void> {
  const stopping = new AbortController();
  const stop = repeatedly(
    everyMs,
    async () => continueRemovals(deps, await deps.retentionClock.now(), stopping.signal),
    (error) => deps.log.warn({ err: error }, 'removed measurements are not dealt with yet'),
  );
  return async () => {
    stopping.abort();
    await stop();
  };
}
