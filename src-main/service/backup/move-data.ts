import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, open, readdir, realpath, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../database/sync-folder.ts';
import { formatBytes } from '../common/format-bytes.ts';
import { freeBytes } from '../common/free-bytes.ts';
import { StartError } from '../common/start-error.ts';
import type { ReportProgress } from './backup-format.ts';
import { commitMove, temporaryCopyPath } from './data-location.ts';
import { holdWriters, snapshotDamage, takeSnapshot } from './snapshot-store.ts';

export interface MoveInput {
  /** The data directory; the caller holds its lock. */
  readonly from: string;
  /** A missing or empty folder in an existing one. */
  readonly to: string;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

interface Item {
  /** Path relative to the data directory. */
  readonly name: string;
  readonly bytes: number;
}

const database = 'benchport.db';
/** The database is copied separately; the other entries belong to a single run or to the move. */
const notCopied = new Set([
  database,
  `${database}-wal`,
  `${database}-shm`,
  'service.lock',
  'service.running',
  'staging',
  'move-wanted.json',
  'move-failed.json',
  'moved.json',
]);
const reserveBytes = 64 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/**
 * Checks whether data can be moved to a folder.
 *
 * @throws StartError with a message for the user.
 */
export async function refuseMove(from: string, to: string): Promise<void> {
  if (!path.isAbsolute(to) || to.includes('\0')) throw refused('Give the absolute path of a folder.');
  const parent = path.dirname(to);
  if (!existsSync(parent)) throw refused(`There is no folder ${parent}. Create it first.`);
  const [here, there] = [await realpath(from), path.join(await realpath(parent), path.basename(to))];
  const resolved = existsSync(there) ? await realpath(there) : there;
  if (resolved === here) throw refused(`The data is already in ${to}.`);
  if (isWithin(here, resolved) || isWithin(resolved, here))
    throw refused(`One of ${to} and the data directory ${from} is inside the other. Choose a folder elsewhere.`);
  if (existsSync(there) && (!(await stat(there)).isDirectory() || (await readdir(there)).length > 0))
    throw refused(`${to} is not an empty folder. Choose another one.`);
  // The copy is made beside the target and renamed to it, which cannot replace a mount point.
  if (existsSync(there) && (await stat(there)).dev !== (await stat(parent)).dev)
    throw refused(`${to} is the root of a disk. Create a folder on it, and choose that one.`);
  for (const folder of [parent, path.dirname(from)]) {
    await access(folder, constants.W_OK).catch((error: unknown) => {
      throw refused(
        `The folder ${folder} is not writable, and the move has to leave a file there that points to the new place.`,
        error,
      );
    });
  }
  const needed =
    (await filesToCopy(from)).reduce((sum, { bytes }) => sum + bytes, 0) +
    (await stat(path.join(from, database))).size +
    reserveBytes;
  const free = await freeBytes(parent);
  if (free < needed)
    throw refused(`The data needs ${formatBytes(needed)}, and ${formatBytes(free)} is free on the disk of ${to}.`);
}

/**
 * Copies a data directory, verifies each copy, and switches to the new one. The old directory is
 * not changed. An interruption before the last step leaves the old one valid, and the next move
 * removes the partial copy.
 *
 * @throws StartError with a message for the user, or the error of a system call, after removing the
 * partial copy.
 */
export async function moveData(input: MoveInput): Promise<void> {
  await refuseMove(input.from, input.to);
  const work = temporaryCopyPath(input.to);
  await rm(work, { recursive: true, force: true });
  const release = holdWriters(input.from);
  try {
    await mkdir(work, { mode: 0o700 });
    await copyAll(input, work);
    if (existsSync(input.to)) await rmdir(input.to);
    commitMove(input.from, input.to);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  } finally {
    release();
  }
}

async function copyAll({ from, report, signal }: MoveInput, work: string): Promise<void> {
  const items = await filesToCopy(from);
  const databaseBytes = (await stat(path.join(from, database))).size;
  const bytesTotal = items.reduce((sum, { bytes }) => sum + bytes, databaseBytes);
  let bytesDone = 0;
  const onBytes = async (bytes: number): Promise<void> => {
    signal.throwIfAborted();
    bytesDone += bytes;
    await report({ bytesDone, bytesTotal });
  };
  const folders = new Set<string>([work]);
  for (const { name } of items) {
    const target = path.join(work, name);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    folders.add(path.dirname(target));
    await copyFile(path.join(from, name), target, onBytes);
  }
  takeSnapshot(from, path.join(work, database));
  await chmod(path.join(work, database), 0o600);
  const damage = snapshotDamage(path.join(work, database));
  if (damage !== null)
    throw refused(`The database is damaged (${damage}), so nothing was moved. Restore a backup first.`);
  await onBytes(databaseBytes);
  const handle = await open(path.join(work, database), 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  for (const folder of folders) syncFolder(folder);
}

/** All files to copy. @throws StartError for other types of entries: a link may lead anywhere. */
async function filesToCopy(from: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(path.join(from, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (notCopied.has(name) || entry.name.endsWith('.partial')) continue;
      if (entry.isDirectory()) waiting.push(name);
      else if (entry.isFile()) items.push({ name, bytes: (await stat(path.join(from, name))).size });
      else throw refused(`${path.join(from, name)} is neither a file nor a folder. Move the data by hand.`);
    }
  }
  return items;
}

async function copyFile(source: string, target: string, onBytes: (bytes: number) => Promise<void>): Promise<void> {
  const [from, to] = [await open(source, 'r'), await open(target, 'wx+', 0o600)];
  try {
    const stats = await from.stat();
    const buffer = Buffer.allocUnsafeSlow(chunkBytes);
    const [read, written] = [createHash('sha256'), createHash('sha256')];
    for (let at = 0; ;) {
      const { bytesRead } = await from.read(buffer, 0, chunkBytes, at);
      if (bytesRead === 0) break;
      read.update(buffer.subarray(0, bytesRead));
      for (let done = 0; done < bytesRead;)
        done += (await to.write(buffer, done, bytesRead - done, at + done)).bytesWritten;
      at += bytesRead;
      await onBytes(bytesRead);
    }
    await to.sync();
    for (let at = 0; ;) {
      const { bytesRead } = await to.read(buffer, 0, chunkBytes, at);
      if (bytesRead === 0) break;
      written.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    const digest = read.digest('hex');
    if (digest !== written.digest('hex'))
      throw refused(`${target} is not what was written: its disk is not reliable. Nothing was moved.`);
    // An object of the library is named by the SHA-256 of its content.
    if (/[\\/]objects[\\/][0-9a-f]{2}[\\/][0-9a-f]{64}$/.test(source) && digest !== path.basename(source)) {
      throw refused(
        `${source} is damaged: it is not what was registered. Nothing was moved; verify the measurements first.`,
      );
    }
    await to.chmod(stats.mode & 0o777);
    await to.utimes(stats.atime, stats.mtime);
  } finally {
    await from.close();
    await to.close();
  }
}

function refused(reason: string, cause?: unknown): StartError {
  return new StartError('data-unusable', reason, { cause });
}

function isWithin(folder: string, inner: string): boolean {
  const relative = path.relative(folder, inner);
  return relative !== '' && !relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative);
}
