import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { FetchState } from '../contract/fetches.ts';
import { HttpProblem } from '../common/problem.ts';
import type { FetchListStore } from './store/fetch-list-store.ts';
import { isUnverified, type FetchRow } from './store/fetch-row.ts';

const downloadingStates: ReadonlySet<FetchState> = new Set(['queued', 'running', 'waiting']);

/**
 * Returns the path to drag out of the window: the fetched folder, or one file. A fetch of a single
 * file yields that file.
 *
 * @throws HttpProblem if it is missing, incomplete or changed.
 */
export async function stageFetch(list: FetchListStore, fetch: FetchRow, index: number | null): Promise<string> {
  const single = index ?? (fetch.files_total === 1 && fetch.unpack === 0 ? 0 : null);
  const file =
    single === null
      ? null
      : index === null
        ? ((await list.files(fetch.id, 'all', 0, 1)).rows[0] ?? null)
        : await list.file(fetch.id, single);
  if (single !== null && !file) throw new HttpProblem(404, 'There is no such file.');
  if (
    isUnverified(fetch) ||
    (file ? file.state !== 'done' : fetch.files_total === null || fetch.files_done < fetch.files_total)
  ) {
    const isDownloading = fetch.ended_at === null && downloadingStates.has(fetch.state);
    const state = isDownloading ? 'Still downloading.' : 'This download is not complete.';
    throw new HttpProblem(409, `${state} You can drag it out once it is complete and verified.`, {
      type: 'not-whole',
    });
  }
  const target = file ? path.join(fetch.target, ...file.path.split('/')) : fetch.target;
  const stats = await lstat(target).catch((error: unknown) => {
    throw new HttpProblem(404, `${target} no longer exists. Fetch it again.`, { type: 'file-missing', cause: error });
  });
  if (file ? !stats.isFile() || stats.size !== file.length : !stats.isDirectory()) {
    throw new HttpProblem(409, `${target} has changed since it was fetched. Fetch it again.`, { type: 'file-changed' });
  }
  return target;
}
