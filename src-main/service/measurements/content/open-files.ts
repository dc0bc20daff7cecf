import { statSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { closeDescriptor, openAtPathInPool, openDescriptor, statDescriptor } from '../../files/file-descriptor.ts';
import { reachedThroughSymlink, difference, faultIn, classifyFileError, FileFault } from '../storage/file-errors.ts';
import { absolutePathOf, rootOf, type SyncIoPolicies } from '../storage/file-storage.ts';
import { identityOf } from '../storage/file-identity.ts';
import type { FilesStore } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { alteredFault } from './file-state.ts';
import type { OpenFile, ServedFile, SharedDescriptor } from './served-file.ts';
import { describeFile } from './serve-headers.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { MeasurementStores } from '../store/stores.ts';

const capacity = 512;
const idleMs = 10_000;

/**
 * Cache of files in use, with their rows and open descriptors. Size, modification time and inode
 * are checked on each use, so a cached descriptor never serves content that was not registered.
 */
export class OpenFiles {
  readonly #files: FilesStore;
  readonly #changes: ChangeCounter;
  readonly #paths: DataPaths;
  readonly #syncIoPolicies: SyncIoPolicies;
  readonly #kept = new Map<string, ServedFile>();
  readonly #sweep: NodeJS.Timeout;
  readonly #seenThisTurn = new Set<ServedFile>();
  #keptAt: number;

  constructor(
    services: Pick<MeasurementStores, 'files'> & { readonly paths: DataPaths; readonly changes: ChangeCounter },
    syncIoPolicies: SyncIoPolicies,
  ) {
    this.#files = services.files;
    this.#changes = services.changes;
    this.#paths = services.paths;
    this.#syncIoPolicies = syncIoPolicies;
    this.#keptAt = services.changes.current();
    this.#sweep = setInterval(() => this.#forgetIdle(), idleMs / 2).unref();
  }

  /** @returns null when the measurement has no file with this index. */
  async find(measurement: MeasurementRow, index: number): Promise<ServedFile | null> {
    const generation = this.#changes.current();
    if (generation !== this.#keptAt) {
      this.#keptAt = generation;
      for (const key of this.#kept.keys()) this.#forget(key);
    }
    const key = `${measurement.id}/${index}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const file = await this.lookUp(measurement, index);
    if (!file) return null;
    const oldest = this.#kept.size >= capacity ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#forget(oldest);
    this.#kept.set(key, file);
    return file;
  }

  /**
   * Looks up a file without caching it: a client that downloads thousands of small files would
   * evict those that others have open.
   *
   * @returns null like `find`.
   */
  async lookUp(measurement: MeasurementRow, index: number): Promise<ServedFile | null> {
    const row = await this.#files.at(measurement.id, index);
    if (!row) return null;
    const root = rootOf(this.#paths, measurement);
    const path = absolutePathOf(this.#paths, measurement, row);
    const inLibrary = measurement.storage === 'library';
    return {
      ...describeFile(row),
      row,
      path,
      root,
      inLibrary,
      syncIo: this.#syncIoPolicies.of(root),
      descriptor: null,
      opening: null,
      usedAt: Date.now(),
      seen: null,
    };
  }

  /**
   * Returns a cached file that is open and still the registered one; null when finding out takes
   * more than one `stat`. The `stat` is made once per turn of the event loop, since the requests of
   * a turn were sent before it. Use the result in the same turn, before it can be closed.
   */
  findOpen(measurement: MeasurementRow, index: string): OpenFile | null {
    if (this.#changes.current() !== this.#keptAt) return null;
    const file = this.#kept.get(`${measurement.id}/${index}`);
    if (!file || !isOpen(file) || !file.syncIo.allowed || file.row.state !== 'ok') return null;
    file.usedAt = Date.now();
    if (this.#seenThisTurn.has(file)) return file;
    try {
      const since = performance.now();
      const found = statSync(file.path, { bigint: true });
      file.syncIo.record(since);
      if (difference(file.row, found) !== null || found.ino !== file.descriptor.inode) return null;
      file.seen = identityOf(found);
    } catch {
      return null;
    }
    if (this.#seenThisTurn.size === 0) setImmediate(() => this.#seenThisTurn.clear());
    this.#seenThisTurn.add(file);
    return file;
  }

  /**
   * Opens a file, or checks that the cached descriptor is still the registered file. Each success
   * needs one `release`.
   *
   * @throws FileFault when the file is missing, changed or unreadable.
   */
  async acquire(file: ServedFile): Promise<SharedDescriptor> {
    if (file.row.state === 'altered') throw await alteredFault(file);
    file.usedAt = Date.now();
    try {
      const kept = file.descriptor;
      if (kept) {
        // Counted as a user during the check, so that the descriptor is not closed meanwhile.
        kept.users += 1;
        let same = false;
        try {
          same = await isSame(file, kept);
        } finally {
          if (!same) this.release(kept);
        }
        if (same) return kept;
      }
      file.opening ??= this.#open(file).finally(() => {
        file.opening = null;
      });
      const opened = await file.opening;
      opened.users += 1;
      return opened;
    } catch (error) {
      throw await classifyFileError(error, file.row, file.root);
    }
  }

  release(descriptor: SharedDescriptor): void {
    descriptor.users -= 1;
    if (descriptor.users === 0 && !descriptor.kept) closeDescriptor(descriptor.fd);
  }

  closeAll(): void {
    clearInterval(this.#sweep);
    for (const key of this.#kept.keys()) this.#forget(key);
  }

  async #open(file: ServedFile): Promise<SharedDescriptor> {
    const fd = file.inLibrary ? await openDescriptor(file.path) : await openAtPathInPool(file.path);
    if (fd < 0) throw new FileFault(file.row, 'altered', reachedThroughSymlink);
    try {
      const found = await statDescriptor(fd);
      const fault = faultIn(file.row, found);
      if (fault) throw fault;
      file.seen = identityOf(found);
      releaseDescriptor(file.descriptor);
      // If the file was evicted while opening, its last transfer closes the descriptor.
      const kept = this.#kept.get(`${file.row.measurement_id}/${file.row.idx}`) === file;
      file.descriptor = { fd, inode: found.ino, users: 0, kept };
      return file.descriptor;
    } catch (error) {
      closeDescriptor(fd);
      throw error;
    }
  }

  #forget(key: string): void {
    const file = this.#kept.get(key);
    this.#kept.delete(key);
    if (!file) return;
    releaseDescriptor(file.descriptor);
    file.descriptor = null;
  }

  #forgetIdle(): void {
    const before = Date.now() - idleMs;
    for (const [key, file] of this.#kept)
      if (file.usedAt < before && (file.descriptor?.users ?? 0) === 0) this.#forget(key);
  }
}

function isOpen(file: ServedFile): file is OpenFile {
  return file.descriptor !== null;
}

// Checked by path, not by descriptor: a replaced file keeps its old bytes under the old descriptor.
async function isSame(file: ServedFile, descriptor: SharedDescriptor): Promise<boolean> {
  let found: BigIntStats;
  if (file.syncIo.allowed) {
    const since = performance.now();
    found = statSync(file.path, { bigint: true });
    file.syncIo.record(since);
  } else found = await stat(file.path, { bigint: true });
  const fault = faultIn(file.row, found);
  if (fault) throw fault;
  file.seen = identityOf(found);
  return found.ino === descriptor.inode;
}

function releaseDescriptor(descriptor: SharedDescriptor | null): void {
  if (!descriptor) return;
  descriptor.kept = false;
  if (descriptor.users === 0) closeDescriptor(descriptor.fd);
}
