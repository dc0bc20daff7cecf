import { statSync } from 'node:fs';
import path from 'node:path';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import type { FileOutcome } from '../../files/hash-messages.ts';
import { adoptAgain, syncMembers } from './registration-members.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { RegistrationParameters } from './register.ts';
import { freezeFiles, type Frozen } from './registration-freeze.ts';
import { listRequest, requestFor, errorOfOutcome } from './registration-request.ts';
import { sourceProblem, classifySourceError } from './registration-source.ts';
import type { WrittenFile } from '../store/registration-rows.ts';
import type { RegistrationWriter } from './registration-write.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Database } from '../../database/port/database.ts';

const rounds = 3;
const rowsPerSlice = 256;

/**
 * Checks the source again once all rows are written: a file may have changed after it was read,
 * files may have been added or removed, and a library object may have been removed with another
 * measurement. The manifest is written at the same time, and again in the rare case of a
 * difference.
 *
 * @returns the frozen measurement, whose files have not changed.
 */
export async function checkUnchanged(
  services: Pick<MeasurementStores, 'measurements' | 'files' | 'registrations'> & {
    readonly config: ServiceConfig;
    readonly paths: DataPaths;
    readonly database: Database;
  },
  context: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
  writer: RegistrationWriter,
): Promise<Frozen> {
  context.report({ message: 'Checking that nothing has changed' });
  for (let round = 1; ; round += 1) {
    const { listDigest, ...archive } = writer.finish();
    const shape = parameters.kind === 'members' ? { ...archive, times: parameters.times ?? null } : archive;
    const [checking, freezing, syncing] = await Promise.allSettled([
      parameters.copy
        ? differingObjects(services, context)
        : differingFiles(services, context, thread, parameters, { count: writer.count, listDigest }),
      freezeFiles(services, context, writer, shape),
      syncMembers(thread, parameters),
    ]);
    if (checking.status === 'rejected') throw checking.reason;
    if (freezing.status === 'rejected') throw freezing.reason;
    if (syncing.status === 'rejected') throw syncing.reason;
    const differing = checking.value;
    if (differing.length === 0) return freezing.value;
    await freezing.value.discard();
    if (parameters.watched !== undefined)
      throw new JobFailed(`${differing[0]?.path ?? ''} was changed meanwhile.`, { code: 'changed' });
    if (round === rounds)
      throw new JobFailed(
        `${differing[0]?.path ?? ''}: it keeps changing. Register it again when the instrument has finished writing.`,
      );
    await readAgain(services, context, thread, parameters, differing);
    await writer.replay(true);
  }
}

async function differingObjects(
  services: Pick<MeasurementStores, 'registrations'> & { readonly paths: DataPaths },
  context: WorkContext,
): Promise<readonly WrittenFile[]> {
  const differing: WrittenFile[] = [];
  for await (const rows of slices(services, context)) {
    for (const row of rows) {
      const stats = statSync(path.join(services.paths.library, row.location), { bigint: true, throwIfNoEntry: false });
      if (!stats || Number(stats.size) !== row.length || String(stats.mtimeNs) !== row.mtime_ns) differing.push(row);
    }
  }
  return differing;
}

async function differingFiles(
  services: Pick<MeasurementStores, 'files' | 'registrations'>,
  context: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
  expected: { readonly count: number; readonly listDigest: string },
): Promise<readonly WrittenFile[]> {
  const differing: WrittenFile[] = [];
  let index = 0;
  try {
    const { path: root, kind, ignoreList = [], watched } = parameters;
    if (kind === 'members' || kind === 'object') throw new Error('files of an upload are always copied');
    const { known } = await thread.list(
      { ...listRequest({ kind, path: root, watched }, ignoreList), known: expected.listDigest },
      async (files) => {
        const rows = await services.registrations.written(context.job.measurement_id, index, files.length);
        for (const [at, file] of files.entries()) {
          const row = rows[at];
          if (!row || row.path !== file.path)
            throw (await sourceProblem(parameters)) ?? setChanged(file.path, row?.path);
          if (row.length !== file.length || row.mtime_ns !== file.mtimeNs) differing.push(row);
        }
        index += files.length;
      },
    );
    if (known) return [];
    const missing = index < expected.count ? await services.files.at(context.job.measurement_id, index) : null;
    if (missing) throw (await sourceProblem(parameters)) ?? setChanged(null, missing.path);
  } catch (error) {
    throw await classifySourceError(error, parameters);
  }
  return differing;
}

// Both lists are sorted in the same order, so the smaller of two differing paths exists in one list
// only.
function setChanged(found: string | null, expected: string | undefined): JobFailed {
  const came =
    found !== null && (expected === undefined || Buffer.compare(Buffer.from(found), Buffer.from(expected)) < 0);
  const what = came ? `${found} came` : `${expected ?? ''} was removed`;
  return new JobFailed(`${what} while the folder was being registered. Register it again when it is complete.`, {
    code: 'changed',
  });
}

async function readAgain(
  services: Pick<MeasurementStores, 'registrations'> & { readonly paths: DataPaths },
  context: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
  rows: readonly WrittenFile[],
): Promise<void> {
  for (const row of rows) {
    const outcome = await outcomeAgain(services, context, thread, parameters, row);
    if (!outcome || 'failed' in outcome) throw await errorOfOutcome(parameters, row, outcome);
    const { index, length, crc32, mtimeNs, ctimeNs, blocks, pieces, at } = outcome;
    const sha256 = Buffer.from(outcome.sha256, 'hex');
    await services.registrations.readAgain(context.job.measurement_id, [
      {
        index,
        length,
        crc32,
        sha256,
        mtimeNs,
        ctimeNs,
        blocks,
        pieces,
        registeredAt: at,
        location: outcome.location ?? row.location,
      },
    ]);
  }
}

async function outcomeAgain(
  services: Pick<MeasurementStores, 'registrations'> & { readonly paths: DataPaths },
  context: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
  row: WrittenFile,
): Promise<FileOutcome | undefined> {
  if (parameters.kind === 'members') return adoptAgain(services, thread, parameters, row.idx);
  const planned = (await services.registrations.planned(context.job.id, row.idx, 1))[0];
  if (!planned) throw new Error(`file ${row.idx} is not in the plan`);
  return (await thread.run(requestFor(services, context.job, parameters, [planned])))[0];
}

async function* slices(
  services: Pick<MeasurementStores, 'registrations'>,
  context: WorkContext,
): AsyncGenerator<readonly WrittenFile[]> {
  for (let index = 0; ;) {
    const rows = await services.registrations.written(context.job.measurement_id, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    index = last.idx + 1;
    await new Promise(setImmediate);
    context.signal.throwIfAborted();
  }
}
