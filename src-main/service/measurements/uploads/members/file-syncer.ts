import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { diskCalls, type DiskCalls } from '../../../fetching/engine/target/disk-calls.ts';
import { synced } from './member-files.ts';

/** For fewer it costs more to sync the whole disk, with all that others write there. */
const [minFilesForDisk, minFoldersForDisk] = [8, 64];
/** Several at once share the commits of the file system's journal. */
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
    if (files.length >= minFilesForDisk && (await this.#syncDisk())) return;
    await syncEach(files, 'r+');
    await syncFolders(new Set(files.map((file) => path.dirname(file))));
  }

  /** Syncs the names in folders. */
  async syncNames(folders: ReadonlySet<string>): Promise<void> {
    if (folders.size >= minFoldersForDisk && (await this.#syncDisk())) return;
    await syncFolders(folders);
  }

  close(): void {
    if (this.#folder !== null) closeSync(this.#folder);
    this.#folder = null;
  }

  async #syncDisk(): Promise<boolean> {
    const [calls, disk] = [this.#calls, this.#folder];
    return calls !== null && disk !== null && calls.syncDisk(disk);
  }
}

async function syncFolders(folders: ReadonlySet<string>): Promise<void> {
  // Windows syncs names by itself and rejects the call.
  if (process.platform !== 'win32') await syncEach([...folders], 'r');
}

async function syncEach(paths: readonly string[], flags: 'r' | 'r+'): Promise<void> {
  for (let at = 0; at < paths.length; at += syncedAtOnce)
    await Promise.all(paths.slice(at, at + syncedAtOnce).map(async (one) => synced(one, flags)));
}
