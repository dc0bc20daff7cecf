import { countOf } from '../../common/count-of.ts';
import { createHttpClient } from '../../http-client/http-client.ts';
import { HttpRequestError } from '../../http-client/http-request-error.ts';
import { JobFailed, parametersOf, type Work, type WorkContext } from '../../jobs/job-work.ts';
import type { NewJob } from '../../jobs/jobs-store.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import { failureText } from '../../files/register-failures.ts';
import { startHashThread, type HashThread } from '../../measurements/file-worker/hash-thread.ts';
import { absolutePathOf } from '../../measurements/storage/file-storage.ts';
import type { FileRow } from '../../measurements/store/files-store.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import type { ServerStores } from '../../servers/stores.ts';
import type { CopyRow } from '../store/copy-row.ts';
import type { CopyStores } from '../store/stores.ts';
import { restoreFile } from './restore-file.ts';

type RestoreDeps = Pick<MeasurementStores, 'measurements' | 'files'> &
  Pick<CopyStores, 'copies'> &
  ServerStores & { readonly paths: DataPaths };

const filesPerSlice = 100;

/** A verification that first replaces the files that are not as registered by those of a copy. */
export function newRestoration(copy: CopyRow, userId: number | null): NewJob {
  return {
    kind: 'verify',
    measurementId: copy.measurement_id,
    userId,
    parameters: { bytesPerSecond: null, restoreFrom: copy.id },
  };
}

/** Verification that restores files first where its job says so. */
export function restoringFirst<Deps>(verify: Work<Deps>): Work<Deps & RestoreDeps> {
  return {
    ...verify,
    run: async (services, context) => {
      const copyId = copyOf(context.job);
      if (copyId !== null) await restoreFiles(services, context, copyId);
      return verify.run(services, context);
    },
    restarted: async (services, job) => {
      const next = await verify.restarted?.(services, job);
      if (!next) throw new Error('a verification can be restarted');
      const copyId = copyOf(job);
      return copyId === null ? next : { ...next, parameters: { ...next.parameters, restoreFrom: copyId } };
    },
  };
}

function copyOf(job: Parameters<typeof parametersOf>[0]): number | null {
  const { restoreFrom } = parametersOf(job) as { readonly restoreFrom?: number };
  return restoreFrom ?? null;
}

/** @throws JobFailed that says why, after which the files are as they were. */
async function restoreFiles(deps: RestoreDeps, context: WorkContext, copyId: number): Promise<void> {
  const copy = await deps.copies.byId(copyId);
  const measurement = copy && (await deps.measurements.byId(copy.measurement_id));
  const server = copy && (await deps.servers.byBaseUrl(copy.base_url));
  const access = server && (await deps.servers.source(server.id));
  if (!copy || measurement?.archive_tag !== copy.manifest_sha256 || !access)
    throw new JobFailed('The copy, its server or the measurement is no longer in the list, so nothing was restored.');
  const client = createHttpClient(access, { connections: 1 });
  const thread = startHashThread(context.signal);
  try {
    for (let index = 0; ;) {
      const rows = await deps.files.withProblems(measurement.id, index, filesPerSlice);
      const last = rows.at(-1);
      if (!last) return;
      const wrong = await stillWrong(deps, thread, measurement, rows);
      for (const row of wrong) {
        const message = `Restoring ${row.path} from ${copy.server_name}, ${countOf(measurement.problem_count, 'file')} in all`;
        context.report({ filesTotal: measurement.file_count, bytesTotal: measurement.total_bytes, message });
        await restoreFile(client, row, { paths: deps.paths, measurement, signal: context.signal, onBytes: () => {} });
      }
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
