import { HttpProblem } from '../../common/problem.ts';
import { rowsPerSlice, settleRemoved, type RemovedDeps } from './keep-removed.ts';
import { unmarkRemoved } from './removed-mark.ts';
import type { RemovedRow } from './store/removed-rows.ts';

const storageWaitMs = 15_000;

/**
 * Makes a removed measurement available again, with its id, owner, readers, times and checksums, to
 * whoever could read it before. Its bytes have always counted against the quota, so none is asked.
 *
 * @throws HttpProblem 404 when it was restored or purged meanwhile, 409 when another measurement has
 * its id or its archive is gone, 503 when the object storage does not answer.
 */
export async function restoreRemoved(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  const { id: number, measurement_id: id } = row;
  if (row.stage === 'leaving') await settleRemoved(deps, row);
  await requireArchive(deps, row);
  const begun = await deps.removed.beginRestoring(number);
  if (begun === 'id-taken')
    throw new HttpProblem(
      409,
      `There is another measurement ${id} now. Remove that one first, or register these files under another id.`,
      { type: 'id-taken' },
    );
  if (begun !== 'begun')
    throw new HttpProblem(404, `${id} was restored or removed for good meanwhile.`, { type: 'not-removed' });
  await continueRestoring(deps, row);
}

/** Puts the rows back, from where an earlier attempt got. */
export async function continueRestoring(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  while (await deps.removed.putBack(row.id, rowsPerSlice)) await new Promise(setImmediate);
  await deps.removed.finishRestoring(row.id);
  deps.changes.bump();
  deps.events.emit('changed', { topic: 'measurements', id: row.measurement_id });
}

/** Checks that the archive is there, and takes the mark away that would hide it from a rebuild. */
async function requireArchive(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  const { object_key: key, measurement_id: id } = row;
  if (key === null) return;
  const { objectStorage } = deps;
  if (!objectStorage)
    throw new HttpProblem(409, `The archive of ${id} lies in an object storage, and none is set up here.`, {
      type: 'archive-missing',
    });
  const signal = AbortSignal.timeout(storageWaitMs);
  let length: number | null;
  try {
    length = await objectStorage.lengthOf(key, signal);
    if (length !== null) await unmarkRemoved(deps, objectStorage, row, signal);
  } catch (error) {
    throw new HttpProblem(503, `The object storage does not answer, so ${id} is not restored. Try again later.`, {
      type: 'storage-unavailable',
      headers: { 'retry-after': '30' },
      cause: error,
    });
  }
  if (length === null)
    throw new HttpProblem(409, `The archive of ${id} is not in ${objectStorage.place} any more.`, {
      type: 'archive-missing',
    });
}
