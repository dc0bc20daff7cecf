import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { dataPaths } from '../common/data-paths.ts';
import { formatBytes } from '../common/format-bytes.ts';
import { freeBytes, minFreeBytes } from '../common/free-bytes.ts';
import { isoTime } from '../common/iso-time.ts';
import { StartError } from '../common/start-error.ts';
import {
  aboutMember,
  backupFormat,
  certificateMembers,
  databaseMember,
  keyMember,
  libraryFolder,
  type AboutBackup,
  type ReportProgress,
} from './backup-format.ts';
import {
  deleteRunningBackups,
  openSnapshot,
  takeSnapshot,
  type Snapshot,
  type StoredObject,
} from './snapshot-store.ts';
import { lengthAndCrc, ZipFile } from './zip-file.ts';

export interface BackupInput {
  readonly dataDir: string;
  /** A new file in an existing folder. */
  readonly file: string;
  /** A new temporary folder on the same disk, removed afterwards. See {@link newWorkFolder}. */
  readonly work: string;
  readonly programVersion: string;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

export interface BackupResult {
  readonly bytes: number;
  readonly measurements: number;
  readonly objects: number;
  /**
   * The first hundred library files that are missing in the backup because they are missing or
   * damaged.
   */
  readonly leftOut: readonly string[];
}

const pageSize = 500;
const maxNamed = 100;

/**
 * A temporary folder beside the backup, where the free space was checked: a database may be larger
 * than the system's temporary folder.
 */
export function newWorkFolder(file: string): string {
  return path.join(path.dirname(file), `.benchport-backup-${randomBytes(6).toString('hex')}`);
}

/**
 * Writes a data directory into one file, also while a service uses it. Referenced files are not
 * included, because they do not belong to Benchport. The file has a temporary name until it is
 * complete.
 *
 * @throws Error with the code of a failed system call; nothing is left behind.
 */
export async function writeBackup(input: BackupInput): Promise<BackupResult> {
  await mkdir(input.work, { mode: 0o700 });
  try {
    const snapshotFile = path.join(input.work, 'snapshot.db');
    takeSnapshot(input.dataDir, snapshotFile);
    deleteRunningBackups(snapshotFile);
    const snapshot = openSnapshot(snapshotFile);
    try {
      const partial = path.join(input.work, 'backup.zip');
      const result = await writeMembers(input, snapshot, snapshotFile, partial);
      await rename(partial, input.file);
      return result;
    } finally {
      snapshot.close();
    }
  } finally {
    await rm(input.work, { recursive: true, force: true });
  }
}

async function writeMembers(
  input: BackupInput,
  snapshot: Snapshot,
  snapshotFile: string,
  target: string,
): Promise<BackupResult> {
  const now = Date.now();
  const bytesTotal = libraryBytes(snapshot) + (await stat(snapshotFile)).size;
  await requireFreeSpace(input, bytesTotal);
  let bytesDone = 0;
  const onBytes = async (bytes: number): Promise<void> => {
    input.signal.throwIfAborted();
    bytesDone += bytes;
    await input.report({ bytesDone, bytesTotal });
  };
  const zip = await ZipFile.create(target);
  try {
    const about: AboutBackup = {
      format: backupFormat,
      made_at: isoTime(now),
      program_version: input.programVersion,
      database_version: snapshot.databaseVersion,
      measurements: snapshot.measurements,
      users: snapshot.users,
    };
    await zip.addText(aboutMember, `${JSON.stringify(about, null, 2)}\n`, now);
    await addWhole(zip, databaseMember, snapshotFile, now, onBytes);
    for (const member of [keyMember, ...certificateMembers]) {
      const file = path.join(input.dataDir, member);
      if (existsSync(file)) await addWhole(zip, member, file, now, onBytes);
    }
    const leftOut: string[] = [];
    let objects = 0;
    for (const object of allObjects(snapshot)) {
      input.signal.throwIfAborted();
      if (await addObject(zip, dataPaths(input.dataDir).library, object, onBytes)) objects += 1;
      else if (leftOut.length < maxNamed) leftOut.push(object.usedBy);
    }
    return { bytes: await zip.finish(), measurements: snapshot.measurements, objects, leftOut };
  } finally {
    await zip.close();
  }
}

async function addWhole(
  zip: ZipFile,
  member: string,
  file: string,
  at: number,
  onBytes: (bytes: number) => Promise<void>,
): Promise<void> {
  const source = await open(file, 'r');
  try {
    if (!(await zip.add({ path: member, ...(await lengthAndCrc(source)), registeredAt: at }, source, onBytes)))
      throw new Error(`${member} changed while it was read. Make the backup again.`);
  } finally {
    await source.close();
  }
}

/** @returns false when the file in the library differs from what was registered. */
async function addObject(
  zip: ZipFile,
  library: string,
  object: StoredObject,
  onBytes: (bytes: number) => Promise<void>,
): Promise<boolean> {
  const source = await open(path.join(library, object.location), 'r').catch(() => null);
  if (!source) return false;
  try {
    // The modification time is included, because it is compared before an object is served.
    const { mtimeMs } = await source.stat();
    const member = {
      path: `${libraryFolder}${object.location}`,
      length: object.length,
      crc32: object.crc32,
      registeredAt: mtimeMs,
    };
    return await zip.add(member, source, onBytes);
  } finally {
    await source.close();
  }
}

function* allObjects(snapshot: Snapshot): Generator<StoredObject> {
  for (let after = ''; ;) {
    const page = snapshot.objectsAfter(after, pageSize);
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    after = last.location;
  }
}

function libraryBytes(snapshot: Snapshot): number {
  let bytes = 0;
  for (const object of allObjects(snapshot)) bytes += object.length;
  return bytes;
}

/**
 * @throws StartError when the target disk has too little space; on the disk of the data directory a
 * larger reserve stays free.
 */
async function requireFreeSpace({ work, file, dataDir }: BackupInput, bytes: number): Promise<void> {
  const free = await freeBytes(work);
  const reserveBytes = (await stat(work)).dev === (await stat(dataDir)).dev ? minFreeBytes : 16 * 1024 * 1024;
  if (free >= bytes + reserveBytes) return;
  throw new StartError(
    'unexpected',
    `The backup needs ${formatBytes(bytes)}, and ${formatBytes(free)} is free on the disk of ${path.dirname(file)}. Choose another disk, or free some space.`,
  );
}
