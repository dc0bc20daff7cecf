import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { diskCalls, type DiskCalls } from '../../../fetching/engine/target/disk-calls.ts';
import { synced } from './member-files.ts';

/** For fewer files it costs more to sync the whole disk. */
const minFilesForDisk = 8;
const syncedAtOnce = 32;

/** Syncs the files of one upload, and the names of their folders. */
export class FileSyncer {
  readonly #calls: DiskCalls | null;
  /** Opened before the files are written, so that it reports the errors of writing them. */
  #folder: number | null;

  constructor(folder: string) {
    this.#calls = diskCalls(folder);
    this.#folder = this.#calls === null ? null : openSync(folder, 'r');
  }

  async sync(files: readonly string[]): Promise<void> {
    const [calls, disk] = [this.#calls, this.#folder];
    const isMany = files.length >= minFilesForDisk;
    if (isMany && calls !== null && disk !== null && (await calls.syncDisk(disk))) return;
    // Several at once share the commits of the file system's journal.
    for (let at = 0; at < files.length; at += syncedAtOnce)
      await Promise.all(files.slice(at, at + syncedAtOnce).map(async (file) => synced(file, 'r+')));
    if (process.platform === 'win32') return;
    for (const folder of new Set(files.map((file) => path.dirname(file)))) await synced(folder, 'r');
  }

  close(): void {
    if (this.#folder !== null) closeSync(this.#folder);
    this.#folder = null;
  }
}
