import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { Compile } from 'typebox/compile';
import * as yauzl from 'yauzl';
import { migrations } from '../database/migrations/all.ts';
import { errorCode } from '../error-code.ts';
import { failureText } from '../measurements/register-failures.ts';
import { runningDigest } from '../measurements/take-digest.ts';
import { parseJson } from '../parse-json.ts';
import { StartError } from '../start-error.ts';
import { AboutBackup, aboutMember, backupFormat, certificateMembers, databaseMember, keyMember, type ReportProgress } from './backup-format.ts';
import { notOurs } from './restored-database-store.ts';
import { snapshotDamage } from './snapshot-store.ts';

const aboutBackup = Compile(AboutBackup);
const largestAbout = 64 * 1024;
const objectName = /^library\/objects\/[0-9a-f]{2}\/[0-9a-f]{64}$/;

export interface RestoreWish {
  readonly file: string;
  /** Must be empty or not there. */
  readonly dataDir: string;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

/** A backup that cannot be restored, with the line for the user. */
function unusable(reason: string, cause?: unknown): StartError {
  return new StartError('data-unusable', reason, { cause });
}

/**
 * Makes a data directory out of a backup. Everything is unpacked and checked under another name beside it first; a backup that is damaged leaves
 * nothing behind, and data that are there are never overwritten.
 *
 * @throws StartError with a line for the user.
 */
export async function restoreBackup(wish: RestoreWish): Promise<AboutBackup> {
  if (existsSync(wish.dataDir) && (await readdir(wish.dataDir)).length > 0) {
    throw unusable(`There are data in ${wish.dataDir} already. Name another folder with --data, or move that one away first.`);
  }
  const { dataDir, ...rest } = wish;
  const target = path.join(path.dirname(dataDir), `.benchport-restore-${randomBytes(6).toString('hex')}`);
  await mkdir(path.dirname(dataDir), { recursive: true });
  const found = await unpackBackup({ ...rest, target });
  try {
    if (existsSync(dataDir)) await rmdir(dataDir);
    await rename(target, dataDir);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
  return found;
}

export interface UnpackWish extends Omit<RestoreWish, 'dataDir'> {
  /** A folder that is not there yet, in one that is. */
  readonly target: string;
}

/**
 * Unpacks and checks a backup. A failure leaves nothing behind.
 *
 * @throws StartError with a line for the user.
 */
export async function unpackBackup(wish: UnpackWish): Promise<AboutBackup> {
  return withBackup(wish.file, async (zip) => {
    try {
      await mkdir(wish.target, { mode: 0o700 });
      const found = await unpack(zip, wish.target, wish);
      await checkDatabase(wish.target, wish.file);
      return found;
    } catch (error) {
      await rm(wish.target, { recursive: true, force: true });
      throw error;
    }
  });
}

/** What a backup holds, as far as its directory tells; nothing is unpacked. */
export interface BackupContents {
  readonly about: AboutBackup;
  /** Of the file, which is about what unpacking needs. */
  readonly bytes: number;
  /** Files of the library. */
  readonly objects: number;
}

/**
 * Looks into a backup.
 *
 * @throws StartError when it is none, or one that cannot be restored here.
 */
export async function lookIntoBackup(file: string): Promise<BackupContents> {
  return withBackup(file, async (zip) => {
    let about: AboutBackup | null = null;
    let objects = 0;
    let hasDatabase = false;
    for await (const entry of zip.eachEntry()) {
      if (!about) about = await readAbout(zip, entry, file);
      else if (isObject(entry.fileName)) objects += 1;
      else hasDatabase ||= entry.fileName === databaseMember;
    }
    if (!about || !hasDatabase) throw unusable(`${file} is not a whole backup of Benchport.`);
    return { about, bytes: (await sizeOf(file)).size, objects };
  });
}

async function withBackup<T>(file: string, work: (zip: yauzl.ZipFile) => Promise<T>): Promise<T> {
  const zip = await yauzl.openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    throw unusable(unopened(file, error), error);
  });
  try {
    return await work(zip);
  } catch (error) {
    // What the reader of the archive says while it reads has neither class nor code.
    if (error instanceof Error && error.constructor === Error && !('code' in error)) {
      throw unusable(`${file} is not a backup, or it is damaged: ${error.message}`, error);
    }
    throw error;
  } finally {
    zip.close();
  }
}

/** Why a file cannot be opened as a backup: what the system says of the file, or that it is no archive. */
function unopened(file: string, error: unknown): string {
  if (error instanceof Error && 'code' in error) return `${file} cannot be opened: ${failureText(error)}.`;
  return `${file} is not a backup, or it is damaged: it does not end as an archive does.`;
}

async function unpack(zip: yauzl.ZipFile, work: string, wish: UnpackWish): Promise<AboutBackup> {
  let found: AboutBackup | null = null;
  const { size: bytesTotal } = await sizeOf(wish.file);
  let bytesDone = 0;
  const onBytes = async (bytes: number): Promise<void> => {
    wish.signal.throwIfAborted();
    bytesDone += bytes;
    // Nothing in it is packed: with members that lie in each other a small file could fill any disk.
    if (bytesDone > bytesTotal) throw unusable(`${wish.file} holds more than its length, which nothing in a backup does.`);
    await wish.report({ bytesDone, bytesTotal });
  };
  for await (const entry of zip.eachEntry()) {
    wish.signal.throwIfAborted();
    if (!found) {
      found = await readAbout(zip, entry, wish.file);
      continue;
    }
    const place = placeOf(entry.fileName);
    // Backups are stored, so a packed member is none of ours, and might unpack to more than any disk holds.
    if (place !== null && entry.compressionMethod !== 0) throw unusable(`${entry.fileName} in ${wish.file} is packed, which nothing in a backup is.`);
    if (place === null) throw unusable(`${wish.file} holds ${JSON.stringify(entry.fileName.slice(0, 200))}, which is not part of a backup.`);
    await unpackEntry(zip, entry, path.join(work, place), wish, onBytes);
  }
  if (!found) throw unusable(`${wish.file} is not a backup of Benchport: it is empty.`);
  return found;
}

const members: readonly string[] = [databaseMember, keyMember, ...certificateMembers];

/** Only the names that a backup has; nothing else ever becomes a path. */
function placeOf(name: string): string | null {
  return members.includes(name) || isObject(name) ? name : null;
}

async function readAbout(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string): Promise<AboutBackup> {
  if (entry.fileName !== aboutMember || entry.uncompressedSize > largestAbout) throw unusable(`${file} is not a backup of Benchport.`);
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const value = parseJson(Buffer.concat(chunks).toString());
  if (!aboutBackup.Check(value)) throw unusable(`${file} is not a backup of Benchport, or it is damaged.`);
  const newest = migrations.at(-1)?.number ?? 0;
  if (value.format !== backupFormat || value.database_version > newest) {
    throw new StartError('data-newer', `${file} was made by a newer Benchport (${value.program_version}). Install that one, then restore it.`);
  }
  return value;
}

async function unpackEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, target: string, wish: UnpackWish, onBytes: (bytes: number) => Promise<void>): Promise<void> {
  const damaged = (reason: string, cause?: unknown): StartError => unusable(`${entry.fileName} in ${wish.file} is damaged: ${reason}`, cause);
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const digest = runningDigest();
  const handle = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      digest.update(chunk as Buffer);
      await handle.writeFile(chunk as Buffer);
      await onBytes((chunk as Buffer).length);
    }
    const { crc32, sha256 } = digest.finish();
    if (crc32 !== entry.crc32) throw damaged('its checksum is not the one that was written down');
    if (isObject(entry.fileName)) {
      if (path.basename(target) !== Buffer.from(sha256).toString('hex')) throw damaged('its content does not belong to its name');
      // Whole seconds, as the library keeps them; read-only, as it was.
      const seconds = Math.floor(entry.getLastModDate({ timezone: 'UTC' }).getTime() / 1000);
      await handle.utimes(seconds, seconds);
      await handle.chmod(0o444);
    }
    await handle.sync();
  } catch (error) {
    wish.signal.throwIfAborted();
    if (error instanceof StartError || (error instanceof Error && 'syscall' in error)) throw error;
    throw damaged(error instanceof Error ? error.message : String(error), error);
  } finally {
    await handle.close();
  }
}

function isObject(name: string): boolean {
  return objectName.test(name);
}

async function checkDatabase(work: string, file: string): Promise<void> {
  const database = path.join(work, databaseMember);
  if (!existsSync(database)) throw unusable(`${file} holds no database; it is not a whole backup.`);
  // Before the check of SQLite, which computes what the tables say is to be checked.
  const reason = readable(file, () => notOurs(database));
  if (reason !== null) throw unusable(`The database in ${file} is not one of Benchport: ${reason}.`);
  const damage = readable(file, () => snapshotDamage(database));
  if (damage !== null) throw unusable(`The database in ${file} is damaged (${damage}). Use another backup.`);
}

function readable<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error))) throw error;
    throw unusable(`The database in ${file} is damaged (${errorCode(error)}). Use another backup.`, error);
  }
}

async function sizeOf(file: string): Promise<{ readonly size: number }> {
  const handle = await open(file, 'r');
  try {
    return await handle.stat();
  } finally {
    await handle.close();
  }
}
