import path from 'node:path';
import { JobFailed, JobMustPause } from '../../jobs/job-work.ts';
import type { FileOutcome, ListRequest, ReadRequest } from '../../files/hash-messages.ts';
import type { JobRow } from '../../jobs/jobs-store.ts';
import { incomingOwner } from '../storage/library-sweep.ts';
import { maxUploadedFiles } from '../uploads/members/expected-file.ts';
import type { RegistrationParameters, SourceKind } from './register.ts';
import { diskFull, sourceProblem } from './registration-source.ts';
import type { PlannedFile } from '../store/registration-rows.ts';
import { parseEntryPlace } from '../../files/zip-place.ts';
import type { DataPaths } from '../../common/data-paths.ts';

/** Builds the request to the worker thread for a batch of files. */
export function requestFor(
  services: { readonly paths: DataPaths },
  job: JobRow,
  parameters: RegistrationParameters,
  files: readonly PlannedFile[],
): ReadRequest {
  const root = parameters.kind === 'file' ? path.dirname(parameters.path) : parameters.path;
  const rootAnd = root.endsWith(path.sep) ? root : root + path.sep;
  if (!parameters.copy)
    return {
      op: 'hash',
      bytesPerSecond: null,
      items: files.map(({ idx, source }) => ({ index: idx, file: rootAnd + source, linkFree: true, pieces: true })),
    };
  const items = files.map(({ idx, source, length, mtime_ns }) =>
    parameters.kind === 'zip'
      ? { index: idx, file: parameters.path, entry: { place: parseEntryPlace(source), length, mtimeNs: mtime_ns } }
      : { index: idx, file: rootAnd + source, linkFree: true, entry: null },
  );
  return { op: 'take', items, library: services.paths.library, owner: incomingOwner(job.replica_id) };
}

/** Request for the list of a source, without what its ignore lists leave out. */
export function listRequest(
  {
    kind,
    path: source,
    watched,
    received,
  }: Pick<RegistrationParameters, 'path' | 'watched' | 'received'> & { readonly kind: SourceKind },
  ignoreList: readonly string[],
): ListRequest {
  const ignored = watched === undefined ? ignoreList : [...ignoreList, ...watched.ignore];
  const request = { kind, path: source, ignoreList: ignored, only: watched?.only ?? undefined };
  return received === true ? { ...request, maxEntries: maxUploadedFiles } : request;
}

/** Returns the error that ends or pauses the job for a file that could not be read. */
export async function errorOfOutcome(
  parameters: RegistrationParameters,
  file: { readonly path: string },
  outcome: FileOutcome | undefined,
): Promise<Error> {
  if (!outcome || !('failed' in outcome)) return diskFull();
  if (outcome.failed === 'no-space') return diskFull();
  if (outcome.failed === 'library') return new JobMustPause(outcome.reason);
  const gone = await sourceProblem(parameters);
  if (gone) return gone;
  if (outcome.failed === 'changing')
    return new JobFailed(
      `${file.path}: ${outcome.reason}. Register it again when the instrument has finished writing.`,
      { code: 'changed' },
    );
  // It was there a moment ago: a share that went away is back by now, or the run goes on.
  const isChange = parameters.watched !== undefined && outcome.failed === 'missing';
  return new JobFailed(`${file.path}: ${outcome.reason}.`, isChange ? { code: 'changed' } : {});
}
