import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { diskCalls, type DiskCalls } from '../../../fetching/engine/target/disk-calls.ts';
import { synced } from './member-files.ts';

/** For fewer files or folders it costs more to sync the whole disk. */
const minForDisk = 8;
const syncedAtOnce = 32;

/** Syncs files below one folder, and the names in their folders. */
export class FileSyncer {
  readonly #calls: DiskCalls | null;
  /** Opened before the files are written, so that it reports the errors of writing them. */
  #folder: number | null;

  constructor(folder: string) {
    this.#calls = diskCalls(folder);
    this.#folder = this.#calls === null ? null : openSync(folder, 'r');
  }

  async sync(files: readonly string[]): Promise<void> {
    if (await this.#syncDisk(files.length)) return;
    // Several at once share the commits of the file system's journal.
    for (let at = 0; at < files.length; at += syncedAtOnce)
      await Promise.all(files.slice(at, at + syncedAtOnce).map(async (file) => synced(file, 'r+')));
    await this.#syncEach(new Set(files.map((file) => path.dirname(file))));
  }

  /** Syncs the names in folders. */
  async syncNames(folders: ReadonlySet<string>): Promise<void> {
    if (!(await this.#syncDisk(folders.size))) await this.#syncEach(folders);
  }

  close(): void {
    if (this.#folder !== null) closeSync(this.#folder);
    this.#folder = null;
  }

  async #syncDisk(count: number): Promise<boolean> {
    const [calls, disk] = [this.#calls, this.#folder];
    return count >= minForDisk && calls !== null && disk !== null && calls.syncDisk(disk);
  }

  // Windows syncs names by itself and rejects the call.
  async #syncEach(folders: ReadonlySet<string>): Promise<void> {
    if (process.platform === 'win32') return;
    for (const folder of folders) await synced(folder, 'r');
  }
}
