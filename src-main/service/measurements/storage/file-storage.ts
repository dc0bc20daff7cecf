import path from 'node:path';
import { putWithin } from '../../common/put-within.ts';
import { DiskPace } from './disk-pace.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { DataPaths } from '../../common/data-paths.ts';

type Place = Pick<MeasurementRow, 'storage' | 'root'>;

/** The folder that the files of a measurement lie in: the one registered, or the library. */
export function rootOf(paths: DataPaths, measurement: Place): string {
  return measurement.storage === 'library' ? paths.library : measurement.root;
}

/** Where the bytes of a file are. `location` was written at registration and never comes from a request. */
export function absolutePathOf(paths: DataPaths, measurement: Place, file: Pick<FileRow, 'location'>): string {
  return path.join(rootOf(paths, measurement), file.location);
}

/** Keeps what is known about the speed of each folder; the oldest is forgotten. */
export class DiskPaces {
  readonly #paces = new Map<string, DiskPace>();

  of(root: string): DiskPace {
    let pace = this.#paces.get(root);
    if (!pace) {
      pace = new DiskPace(root);
      putWithin(this.#paces, 1000, root, pace);
    }
    return pace;
  }
}
