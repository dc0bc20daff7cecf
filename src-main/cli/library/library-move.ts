import type { Command } from 'commander';
import { setTimeout as wait } from 'node:timers/promises';
import { countOf } from '../../service/common/count-of.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { leaveLibrary, storeObject } from '../../service/measurements/objects/store-object.ts';
import { hasLibrary } from '../../service/measurements/storage/shared-library.ts';
import { FileFault } from '../../service/measurements/storage/file-errors.ts';
import type { MeasurementRow } from '../../service/measurements/store/measurements-store.ts';
import { ObjectStorageError, type ObjectStorage } from '../../service/object-storage/object-storage.ts';
import type { Services } from '../../service/services.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { everyMeasurement } from '../support/every-measurement.ts';
import { byteBar } from '../support/progress-bar.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';
import { withServices } from '../support/with-services.ts';
import type { Moved } from './moved.ts';
import { moveBack } from './library-return.ts';
import { requireServed, requireStorage } from './storage-of-command.ts';

interface Options extends CommonOptions {
  readonly to: string;
}

/** Requests that began before a measurement moved open its files within this time. */
const settleMs = 10_000;

/** `benchport library move --to s3://BUCKET[/PREFIX]`: the service may be running. */
export function addLibraryMove(library: Command, terminal: Terminal): void {
  dataCommand(
    library,
    'move',
    'Move the measurements that were copied into the library into the object storage, or back; interrupted, it goes on when it is called again',
  )
    .requiredOption(
      '--to <place>',
      's3://BUCKET or s3://BUCKET/PREFIX, as the BENCHPORT_S3_ variables name it; or "library", to move back',
    )
    .addHelpText(
      'after',
      examples('benchport library move --to s3://benchport-library', 'benchport library move --to library'),
    )
    .action(async (options: Options) => {
      const result = await withServices(terminal, { ...options, library: true }, async (services) => {
        const storage = requireStorage(services);
        if (options.to === 'library') {
          requireFolder(services);
          return untilInterrupted('Stopped. Call it again to move the rest.', (signal) =>
            moveBack(terminal, services, storage, signal),
          );
        }
        requirePlace(storage, options.to);
        await requireServed(services, storage);
        return untilInterrupted('Stopped. Call it again to move the rest.', (signal) =>
          moveAll(terminal, services, storage, signal),
        );
      });
      report(terminal, result, options.json === true);
    });
}

function requireFolder({ config }: Pick<Services, 'config'>): void {
  if (!hasLibrary(config)) throw new CommandError('Name the folder of the library with BENCHPORT_LIBRARY_DIR.', 2);
}

function requirePlace({ place }: ObjectStorage, to: string): void {
  if (place === (to.endsWith('/') ? to : `${to}/`)) return;
  throw new CommandError(`The BENCHPORT_S3_ variables name ${place}, and not ${to}.`, 2);
}

async function moveAll(
  terminal: Terminal,
  services: Services,
  storage: ObjectStorage,
  signal: AbortSignal,
): Promise<Moved> {
  const waiting: MeasurementRow[] = [];
  const left: { readonly id: string; readonly reason: string }[] = [];
  for await (const row of everyMeasurement(services)) {
    if (row.storage !== 'library') continue;
    if (row.object_key !== null) await leaveLibrary(services, row.id);
    else if (row.state === 'degraded') left.push({ id: row.id, reason: 'files of it are not as they were registered' });
    else if (row.state === 'available') waiting.push(row);
  }
  const bytesTotal = waiting.reduce((sum, { archive_bytes: bytes }) => sum + 2 * bytes, 0);
  const settling: Settling[] = [];
  const bar = byteBar(terminal);
  let [bytesDone, moved, bytes] = [0, 0, 0];
  try {
    for (const row of waiting) {
      const reason = await moveOne(services, storage, row, signal, (more) => {
        bytesDone += more;
        bar.update({ bytesDone, bytesTotal });
      });
      if (reason !== null) left.push({ id: row.id, reason });
      else {
        [moved, bytes] = [moved + 1, bytes + row.archive_bytes];
        settling.push({ id: row.id, at: Date.now() });
      }
      await leaveSettled(services, settling, false, signal);
    }
    await leaveSettled(services, settling, true, signal);
  } finally {
    bar.clear();
  }
  return { moved, bytes, left };
}

interface Settling {
  readonly id: string;
  /** When it moved. */
  readonly at: number;
}

/** Removes the copies of measurements that moved a while ago; with `all`, waits for the others. */
async function leaveSettled(
  services: Services,
  settling: Settling[],
  all: boolean,
  signal: AbortSignal,
): Promise<void> {
  for (let next = settling[0]; next; next = settling[0]) {
    const leftMs = next.at + settleMs - Date.now();
    if (leftMs > 0 && !all) return;
    await wait(Math.max(0, leftMs), undefined, { signal });
    await leaveLibrary(services, next.id);
    settling.shift();
  }
}

/** @returns why it stays; null when it moved. @throws ObjectStorageError, or the signal's reason. */
async function moveOne(
  services: Services,
  storage: ObjectStorage,
  row: MeasurementRow,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<string | null> {
  try {
    if (!(await storeObject(services, storage, row, signal, onBytes))) return 'it was removed';
  } catch (error) {
    if (error instanceof FileFault) return `${error.filePath}: ${error.message}`;
    throw error instanceof ObjectStorageError ? new CommandError(error.message) : error;
  }
  await services.audit.record({
    userId: null,
    action: 'measurement.move',
    subject: `measurement:${row.id}`,
    detail: storage.place,
  });
  return null;
}

function report(terminal: Terminal, result: Moved, json: boolean): void {
  if (json) printJson(terminal, result);
  else printLine(terminal, `${countOf(result.moved, 'measurement')} moved, ${formatBytes(result.bytes)}.`);
  for (const { id, reason } of result.left) note(terminal, `${id} stays: ${reason}`);
  if (result.left.length > 0) throw new CommandError(`${countOf(result.left.length, 'measurement')} not moved.`);
}
