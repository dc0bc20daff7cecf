import { startHashThread } from '../../service/measurements/file-worker/hash-thread.ts';
import { returnToLibrary } from '../../service/measurements/objects/return-to-library.ts';
import { FileFault } from '../../service/measurements/storage/file-errors.ts';
import { incomingOwner } from '../../service/measurements/storage/library-sweep.ts';
import type { MeasurementRow } from '../../service/measurements/store/measurements-store.ts';
import { ObjectStorageError, type ObjectStorage } from '../../service/object-storage/object-storage.ts';
import type { Services } from '../../service/services.ts';
import { everyMeasurement } from '../support/every-measurement.ts';
import { byteBar } from '../support/progress-bar.ts';
import { CommandError, type Terminal } from '../support/terminal.ts';
import type { Moved } from './moved.ts';

/** Moves all measurements of the object storage into the library. */
export async function moveBack(
  terminal: Terminal,
  services: Services,
  storage: ObjectStorage,
  signal: AbortSignal,
): Promise<Moved> {
  const waiting: MeasurementRow[] = [];
  for await (const row of everyMeasurement(services))
    if (row.object_key !== null && row.state !== 'registering') waiting.push(row);
  const bytesTotal = waiting.reduce((sum, { archive_bytes: bytes }) => sum + bytes, 0);
  const bar = byteBar(terminal);
  const thread = startHashThread(signal);
  const left: { readonly id: string; readonly reason: string }[] = [];
  const owner = incomingOwner(services.cluster.leaseHolder()?.id ?? null);
  let [bytesDone, moved, bytes] = [0, 0, 0];
  const onBytes = (more: number): void => {
    bytesDone += more;
    bar.update({ bytesDone, bytesTotal });
  };
  try {
    for (const row of waiting) {
      try {
        await returnToLibrary(services, storage, row, { thread, owner, signal, onBytes });
        await services.audit.record({
          userId: null,
          action: 'measurement.move',
          subject: `measurement:${row.id}`,
          detail: 'library',
        });
        [moved, bytes] = [moved + 1, bytes + row.archive_bytes];
      } catch (error) {
        if (error instanceof ObjectStorageError) throw new CommandError(error.message);
        if (!(error instanceof FileFault)) throw error;
        left.push({ id: row.id, reason: `${error.filePath}: ${error.message}` });
      }
    }
  } finally {
    bar.clear();
    await thread.close();
  }
  return { moved, bytes, left };
}
