import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import { ContentDigest, ListSignature } from '../../files/list-signature.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { RegistrationParameters, WatchedSource } from './register.ts';
import { listRequest } from './registration-request.ts';

const rowsPerSlice = 1000;

/** Signature to be made of the list of a watched source; null when it is not compared. */
export function signatureOf(watched: WatchedSource | undefined): ListSignature | null {
  return watched === undefined || watched.signature === null ? null : new ListSignature(watched.stem);
}

/** @throws JobFailed when the list is not the one that was seen last. */
export function requireSignature(watched: WatchedSource | undefined, signature: ListSignature | null): void {
  if (signature !== null && signature.finish() !== watched?.signature)
    throw new JobFailed('The files are not those that were seen last: it is still being written.', { code: 'changed' });
}

/**
 * Compares what was registered with what was seen before, and a source that was copied with its list
 * as it is now.
 *
 * @throws JobFailed when they differ.
 */
export async function requireAsWatched(
  { files }: Pick<MeasurementStores, 'files'>,
  { job, signal }: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
): Promise<void> {
  const { watched, copy, kind, ignoreList = [] } = parameters;
  if (watched === undefined || kind === 'members' || kind === 'object') return;
  const signature = copy ? signatureOf(watched) : null;
  if (signature !== null)
    await thread.list(listRequest({ ...parameters, kind }, ignoreList), async (listed) => {
      for (const file of listed) signature.add(file);
    });
  requireSignature(watched, signature);
  if (watched.content === null) return;
  const content = new ContentDigest();
  for (let index = 0; ; index += rowsPerSlice) {
    const rows = await files.from(job.measurement_id, index, rowsPerSlice);
    for (const { path, sha256 } of rows) content.add(path, Buffer.from(sha256).toString('hex'));
    if (rows.length < rowsPerSlice) break;
    signal.throwIfAborted();
  }
  if (content.finish() !== watched.content)
    throw new JobFailed('Its bytes are not those that were read before: it is still being written.', {
      code: 'changed',
    });
}
