import { HttpProblem } from '../../common/problem.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { ArchiveParts } from './archive-part.ts';

/** Reads the archive of a measurement. */
export interface ArchiveReader {
  /**
   * Fills a buffer with the archive's bytes from a position on. Only those of files in the library
   * are verified: who reads compares them with what is expected.
   *
   * @throws FileFault, ObjectStorageError, or HttpProblem 503.
   */
  fill(part: Buffer, position: number): Promise<void>;
  /**
   * Hands out the bytes from `start` to `end`.
   *
   * @param take gets bytes that change once its promise resolves.
   * @throws as `fill`, or an error of `take`.
   */
  copy(start: number, end: number, take: (chunk: Buffer) => Promise<void>): Promise<void>;
}

const objectPartBytes = 4 * 1024 * 1024;

export type ArchiveReaderDeps = Pick<MeasurementStores, 'files' | 'blockSums'> & {
  readonly paths: DataPaths;
  readonly changes: ChangeCounter;
  readonly objectStorage: ObjectStorage | null;
};

/** The archive of a measurement, wherever it lies. @param signal ends reading from the object storage. */
export function archiveReader(
  deps: ArchiveReaderDeps,
  measurement: MeasurementRow,
  signal: AbortSignal,
): ArchiveReader {
  const { object_key: key } = measurement;
  if (key === null) return new ArchiveParts(deps, measurement);
  const { objectStorage: storage } = deps;
  const fill = async (part: Buffer, position: number): Promise<void> => {
    if (storage === null) throw new HttpProblem(503, 'The object storage of this measurement is not configured.');
    await storage.read(key, position, part, signal);
  };
  return {
    fill,
    copy: async (start, end, take) => {
      const buffer = Buffer.allocUnsafeSlow(Math.min(objectPartBytes, end - start));
      for (let at = start; at < end;) {
        const part = buffer.subarray(0, Math.min(buffer.length, end - at));
        await fill(part, at);
        await take(part);
        at += part.length;
      }
    },
  };
}
