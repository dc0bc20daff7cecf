import { countOf } from '../../common/count-of.ts';
import { grouped } from '../../common/grouped.ts';
import { pieceBytes } from '../store/piece-hashes.ts';
import { hasBlockSums } from '../store/block-sums.ts';
import { absenceOf } from '../storage/file-errors.ts';
import { absolutePathOf, rootOf } from '../storage/file-storage.ts';
import type { FileCheck, FileRow } from '../store/files-store.ts';
import { objectOf } from '../objects/object-blocks.ts';
import { hashObjectFiles } from '../objects/hash-object-files.ts';
import { ObjectStorageError, type ObjectStorage } from '../../object-storage/object-storage.ts';
import { JobFailed } from '../../jobs/job-work.ts';
import type { HashItem, HashedFile, FileOutcome } from '../../files/hash-messages.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { recordChecks } from '../block-checks/record-checks.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { VerifyDeps } from './verify-deps.ts';

interface How {
  /** Null for no limit. */
  readonly bytesPerSecond: number | null;
  /**
   * Whether a file that keeps changing while it is read is left for the next verification instead
   * of being marked altered.
   */
  readonly leaveChanging: boolean;
  readonly signal: AbortSignal;
}

/** Reads files again, compares them with the registration, and stores the results. */
export async function verifyFiles(
  services: VerifyDeps,
  thread: HashThread,
  measurement: MeasurementRow,
  rows: readonly FileRow[],
  { bytesPerSecond, leaveChanging, signal }: How,
): Promise<void> {
  const outcomes = await hashFiles(services, thread, measurement, rows, bytesPerSecond, signal);
  const decided = leaveChanging
    ? outcomes.filter((outcome) => !('failed' in outcome && outcome.failed === 'changing'))
    : outcomes;
  await record(services, measurement, rows, decided);
  services.unchecked.compared(
    measurement.id,
    rows.map((row) => row.idx),
  );
}

/** Reads files again, and records nothing. @throws JobFailed when the storage does not answer; the signal's reason. */
async function hashFiles(
  services: Pick<MeasurementStores, 'objects' | 'pieces'> & {
    readonly objectStorage: ObjectStorage | null;
    readonly paths: DataPaths;
  },
  thread: HashThread,
  measurement: MeasurementRow,
  rows: readonly FileRow[],
  bytesPerSecond: number | null,
  signal: AbortSignal,
): Promise<readonly FileOutcome[]> {
  const object = objectOf(measurement);
  if (object === null)
    return thread.run({ op: 'hash', items: await hashItems(services, measurement, rows), bytesPerSecond });
  const deps = { ...services, storage: requireStorage(services) };
  return hashObjectFiles(deps, object, rows, bytesPerSecond, signal).catch(storageFailed);
}

/**
 * Reads files again and compares them with the registration, without storing what was found.
 *
 * @returns the paths of those that are wrong. @throws JobFailed when the storage does not answer; the signal's reason.
 */
export async function wrongFiles(
  services: Parameters<typeof hashFiles>[0],
  thread: HashThread,
  measurement: MeasurementRow,
  rows: readonly FileRow[],
  bytesPerSecond: number | null,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const outcomes = await hashFiles(services, thread, measurement, rows, bytesPerSecond, signal);
  const found = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  return rows
    .filter((row) => {
      const outcome = found.get(row.idx);
      return outcome !== undefined && compare(row, outcome, null).state !== 'ok';
    })
    .map(({ path }) => path);
}

/** Without the storage nothing is known about the files, so that the job ends and they stay as they are. */
function storageFailed(error: unknown): never {
  throw error instanceof ObjectStorageError ? new JobFailed(error.message, { cause: error }) : error;
}

/** @throws JobFailed in a service without object storage. */
function requireStorage({ objectStorage }: { readonly objectStorage: ObjectStorage | null }): ObjectStorage {
  if (objectStorage) return objectStorage;
  throw new JobFailed('The measurement lies in an object storage that this server is not set up for.');
}

async function hashItems(
  services: Pick<MeasurementStores, 'pieces'> & { readonly paths: DataPaths },
  measurement: MeasurementRow,
  rows: readonly FileRow[],
): Promise<readonly HashItem[]> {
  const linkFree = measurement.storage !== 'library';
  return Promise.all(
    rows.map(async (row) => ({
      index: row.idx,
      file: absolutePathOf(services.paths, measurement, row),
      linkFree,
      pieces: await lacksPieces(services, row),
    })),
  );
}

async function lacksPieces({ pieces }: Pick<MeasurementStores, 'pieces'>, row: FileRow): Promise<boolean> {
  return row.length > pieceBytes && (await pieces.page(row.measurement_id, row.idx, 0)) === null;
}

async function record(
  services: Pick<MeasurementStores, 'measurements' | 'files' | 'blockSums' | 'registrations'> &
    Pick<AuditStores, 'audit'> & {
      readonly paths: DataPaths;
      readonly events: Events;
      readonly changes: ChangeCounter;
    },
  measurement: MeasurementRow,
  rows: readonly FileRow[],
  outcomes: readonly FileOutcome[],
): Promise<void> {
  const found = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  const inFolder = measurement.object_key === null;
  const absence = inFolder ? await absenceOf(rootOf(services.paths, measurement)) : null;
  const checks: (FileCheck & { readonly index: number })[] = [];
  const right: HashedFile[] = [];
  for (const row of rows) {
    const outcome = found.get(row.idx);
    if (!outcome) continue;
    const check = { ...compare(row, outcome, absence), index: row.idx, at: Date.now() };
    checks.push(check);
    if (
      inFolder &&
      check.state === 'ok' &&
      'mtimeNs' in outcome &&
      (await needsUpdate(services, measurement, row, outcome))
    )
      right.push(outcome);
    if (check.state !== 'ok' && row.state === 'ok')
      await noteDegraded(services, measurement.id, row, check.problem ?? check.state);
  }
  // The registered bytes with a new modification time, for example after a restore from backup, are
  // accepted and served again.
  if (right.length > 0) {
    const ours = measurement.storage === 'library';
    await services.registrations.touched(
      measurement.id,
      right.map(({ index, mtimeNs, ctimeNs, blocks, pieces }) => ({
        index,
        mtimeNs,
        ctimeNs: ours ? null : ctimeNs,
        blocks,
        pieces,
      })),
    );
  }
  if (await recordChecks(services, measurement.id, checks))
    services.events.emit('changed', { topic: 'measurements', id: measurement.id });
  services.changes.bump();
}

/** Whether timestamps differ from the registration or block sums are missing. */
async function needsUpdate(
  services: Pick<MeasurementStores, 'blockSums'>,
  measurement: MeasurementRow,
  row: FileRow,
  outcome: HashedFile,
): Promise<boolean> {
  if (outcome.mtimeNs !== row.mtime_ns) return true;
  if (measurement.storage === 'reference' && outcome.ctimeNs !== row.ctime_ns) return true;
  if (outcome.pieces !== null) return true;
  return hasBlockSums(row.length) && (await services.blockSums.page(measurement.id, row.idx, 0)) === null;
}

function compare(row: FileRow, outcome: FileOutcome, absence: string | null): Pick<FileCheck, 'state' | 'problem'> {
  if ('failed' in outcome) {
    if (outcome.failed === 'missing' && absence === null)
      return { state: 'missing', problem: 'there is no such file in its folder' };
    if (outcome.failed === 'missing') return { state: 'unreadable', problem: absence };
    return { state: outcome.failed === 'changing' ? 'altered' : 'unreadable', problem: outcome.reason };
  }
  if (outcome.length !== row.length)
    return { state: 'altered', problem: `it has ${countOf(outcome.length, 'byte')} instead of ${grouped(row.length)}` };
  if (outcome.crc32 !== row.crc32 || outcome.sha256 !== row.sha256.toString('hex'))
    return { state: 'altered', problem: 'its content is not what was registered' };
  return { state: 'ok', problem: null };
}

async function noteDegraded(
  services: Pick<AuditStores, 'audit'>,
  id: string,
  row: FileRow,
  problem: string,
): Promise<void> {
  await services.audit.record({
    userId: null,
    action: 'measurement.degraded',
    subject: `measurement:${id}`,
    detail: `file ${row.idx} (${row.path}): ${problem}`,
  });
}
