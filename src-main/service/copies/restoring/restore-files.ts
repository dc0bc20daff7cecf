import { countOf } from '../../common/count-of.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import { failureText } from '../../files/register-failures.ts';
import { createHttpClient, type HttpClient } from '../../http-client/http-client.ts';
import { HttpRequestError } from '../../http-client/http-request-error.ts';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import { startHashThread, type HashThread } from '../../measurements/file-worker/hash-thread.ts';
import { absolutePathOf } from '../../measurements/storage/file-storage.ts';
import type { FileRow } from '../../measurements/store/files-store.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import { verifyFiles } from '../../measurements/verification/verify-files.ts';
import type { ServerStores } from '../../servers/stores.ts';
import { verifiedForMs, type CopyRow } from '../store/copy-row.ts';
import type { CopyStores } from '../store/stores.ts';
import { restoreFile } from './restore-file.ts';

export type RestoreDeps = Parameters<typeof verifyFiles>[0] &
  MeasurementStores &
  Pick<CopyStores, 'copies' | 'copyList'> &
  ServerStores & { readonly paths: DataPaths };

const filesPerSlice = 100;

/** The copy that answered last for its bytes; null when none is verified. */
export async function copyToRestoreFrom(
  { copyList }: Pick<CopyStores, 'copyList'>,
  measurementId: string,
): Promise<CopyRow | null> {
  return (await copyList.verifiedOf(measurementId, Date.now() - verifiedForMs))[0] ?? null;
}

/**
 * Replaces the files that are not as registered by those of a copy, and compares these again.
 *
 * @returns how many were replaced.
 * @throws JobFailed that says why, after which the files that are left are as they were.
 */
export async function restoreFiles(deps: RestoreDeps, context: WorkContext, copy: CopyRow | null): Promise<number> {
  const measurement = copy && (await deps.measurements.byId(copy.measurement_id));
  const server = copy && (await deps.servers.byBaseUrl(copy.base_url));
  const access = server && (await deps.servers.source(server.id));
  if (!copy || measurement?.archive_tag !== copy.manifest_sha256 || !access)
    throw new JobFailed('The copy, its server or the measurement is no longer in the list, so nothing was restored.');
  const client = createHttpClient(access, { connections: 1 });
  const thread = startHashThread(context.signal);
  let restored = 0;
  try {
    for (let index = 0; ;) {
      const rows = await deps.files.withProblems(measurement.id, index, filesPerSlice);
      const last = rows.at(-1);
      if (!last) return restored;
      restored += await restoreSlice({ deps, context, copy, client, thread, measurement }, rows);
      index = last.idx + 1;
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof JobFailed) throw error;
    const why = error instanceof HttpRequestError ? error.message : `${failureText(error)}.`;
    throw new JobFailed(`It could not be restored from ${copy.server_name}. ${why}`, { cause: error });
  } finally {
    client.close();
    await thread.close();
  }
}

interface Restoration {
  readonly deps: RestoreDeps;
  readonly context: WorkContext;
  readonly copy: CopyRow;
  readonly client: HttpClient;
  readonly thread: HashThread;
  readonly measurement: MeasurementRow;
}

async function restoreSlice(restoration: Restoration, rows: readonly FileRow[]): Promise<number> {
  const { deps, context, copy, client, thread, measurement } = restoration;
  const { signal } = context;
  const wrong = await stillWrong(deps, thread, measurement, rows);
  for (const row of wrong) {
    const message = `Restoring ${row.path} from ${copy.server_name}, ${countOf(measurement.problem_count, 'file')} in all`;
    context.report({ filesTotal: measurement.file_count, bytesTotal: measurement.total_bytes, message });
    await restoreFile(client, row, { paths: deps.paths, measurement, signal, onBytes: () => {} });
  }
  await verifyFiles(deps, thread, measurement, rows, { bytesPerSecond: null, leaveChanging: false, signal });
  return wrong.length;
}

/** Those that were not restored before a pause, or put back by hand. */
async function stillWrong(
  deps: RestoreDeps,
  thread: HashThread,
  measurement: MeasurementRow,
  rows: readonly FileRow[],
): Promise<readonly FileRow[]> {
  const linkFree = measurement.storage !== 'library';
  const items = rows.map((row) => ({
    index: row.idx,
    file: absolutePathOf(deps.paths, measurement, row),
    linkFree,
  }));
  const outcomes = await thread.run({ op: 'hash', items, bytesPerSecond: null });
  const right = new Map(outcomes.map((outcome) => [outcome.index, 'failed' in outcome ? null : outcome.sha256]));
  return rows.filter((row) => right.get(row.idx) !== row.sha256.toString('hex'));
}
