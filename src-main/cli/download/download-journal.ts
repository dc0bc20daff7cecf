import { mkdirSync, rmSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { openSqliteFile, type SqliteConnection } from '../../service/database/sqlite/sqlite-file.ts';
import { GroupCommit } from '../../service/database/sqlite/group-commit.ts';
import { migrateFetchTables } from '../../service/database/migrations/early/fetch-tables.ts';
import { errorCode } from '../../service/common/error-code.ts';
import type { Journal } from '../../service/fetching/engine/types.ts';
import type { FetchRow } from '../../service/fetching/store/fetch-row.ts';
import { fetchesStore, type FetchesStore } from '../../service/fetching/store/fetches-store.ts';
import { fetchFilesStore, type FetchFilesStore } from '../../service/fetching/store/fetch-files-store.ts';
import { journalName } from '../../service/fetching/engine/journal-name.ts';
import { journalStore } from '../../service/fetching/store/journal-store.ts';
import type { DownloadAddress } from './download-address.ts';
import { CommandError } from '../support/terminal.ts';

/** The state of a download, stored beside the files, so that the same command can resume it. */
export interface DownloadJournal {
  readonly journal: Journal;
  readonly fetches: FetchesStore;
  readonly files: FetchFilesStore;
  /** The only fetch in this folder's journal. */
  readonly id: number;
  row(): Promise<FetchRow>;
  /** False if the folder was moved or removed since the journal was opened. */
  isInPlace(): boolean;
  close(): void;
  /** Closes and deletes the journal of a complete download. */
  remove(): void;
}

const anew: readonly FetchRow['reason'][] = ['manifest-changed', 'bad-manifest'];

/**
 * Opens the journal in a measurement's folder, creating both if needed. One process at a time can
 * hold it.
 * @throws CommandError if another process holds it, or it cannot be used.
 */
export async function openDownloadJournal(target: string, address: DownloadAddress): Promise<DownloadJournal> {
  const folder = path.join(target, journalName.folder);
  const database = open(target, folder);
  try {
    const commits = new GroupCommit(database);
    const [fetches, files] = [fetchesStore(database, commits), fetchFilesStore(database, commits)];
    const id = await fetchOf(fetches, files, target, address);
    const { dev, ino } = statSync(database.name, { bigint: true });
    return {
      journal: journalStore(database, commits),
      fetches,
      files,
      id,
      row: async () => {
        const row = await fetches.byId(id);
        if (!row) throw new Error('the journal lacks its fetch');
        return row;
      },
      isInPlace: () => {
        const now = statSync(database.name, { bigint: true, throwIfNoEntry: false });
        return now?.dev === dev && now.ino === ino;
      },
      close: () => database.close(),
      remove: () => {
        // Closing checkpoints the WAL to disk; a journal about to be deleted needs no fsync.
        database.pragma('synchronous = OFF');
        database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function open(target: string, folder: string): SqliteConnection {
  try {
    // The journal is private to its owner; the mode of the downloaded files follows the user's
    // umask.
    mkdirSync(target, { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError(`${target} cannot be written to: ${error instanceof Error ? error.message : String(error)}`);
  }
  const database = openSqliteFile(path.join(folder, journalName.file), { timeout: 0 });
  try {
    // The first access takes the lock, which the operating system releases however the process
    // ends.
    database.pragma('locking_mode = EXCLUSIVE');
    // Tables lost in a power cut are simply created again, so fsync is not needed before they hold
    // data.
    database.pragma('synchronous = NORMAL');
    database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    migrateFetchTables(database);
    database.pragma('synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    if (errorCode(error).startsWith('SQLITE_BUSY')) {
      throw new CommandError(`Another download into ${target} is running. Wait until it has ended, or stop it.`);
    }
    if (errorCode(error) === 'SQLITE_FULL') throw new CommandError(`${target} cannot be written to: the disk is full.`);
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `The journal ${folder} cannot be used: ${why}. Remove it and start again; complete files are kept.`,
    );
  }
}

/**
 * Resumes the fetch in the journal if it is for the same address; otherwise creates a new one,
 * which finds complete files in the folder.
 */
async function fetchOf(
  fetches: FetchesStore,
  files: FetchFilesStore,
  target: string,
  address: DownloadAddress,
): Promise<number> {
  const chosen = address.index === null ? null : [address.index];
  for (const row of await fetches.inState('queued', 'running', 'failed')) {
    const isSame =
      row.measurement_id === address.measurementId &&
      JSON.stringify((await fetches.order(row.id)).chosen) === JSON.stringify(chosen);
    if (!isSame) {
      await files.remove([row.id]);
      continue;
    }
    // An interrupted listing is incomplete and must be read again.
    if (row.files_total === null || anew.includes(row.reason)) await files.clear(row.id);
    else await files.retryFailed([row.id]);
    // Server and folder may have moved since.
    await fetches.apply([row.id], 'retry', Date.now());
    await fetches.apply([row.id], 'stop', Date.now());
    await fetches.apply([row.id], 'start', Date.now(), {
      reason: null,
      message: null,
      baseUrl: address.baseUrl,
      target,
    });
    return row.id;
  }
  const { id } = await fetches.create({
    serverId: null,
    baseUrl: address.baseUrl,
    measurementId: address.measurementId,
    title: null,
    what: 'files',
    chosen,
    target,
    unpack: false,
    priority: 0,
    paused: false,
  });
  return id;
}

/** Removes the folder if it is empty. */
export function removeIfEmpty(target: string): void {
  try {
    rmdirSync(target);
  } catch {
    // It is not empty.
  }
}
