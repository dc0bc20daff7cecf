import { stat } from 'node:fs/promises';
import { Compile } from 'typebox/compile';
import * as yauzl from 'yauzl';
import { migrations } from '../database/migrations/all.ts';
import { failureText } from '../files/register-failures.ts';
import { parseJson } from '../common/parse-json.ts';
import { StartError } from '../common/start-error.ts';
import { AboutBackup, aboutMember, backupFormat, databaseMember } from './backup-format.ts';

const aboutBackup = Compile(AboutBackup);
const largestAbout = 64 * 1024;
const objectName = /^library\/objects\/[0-9a-f]{2}\/[0-9a-f]{64}$/;

/** The error for a backup that cannot be restored; the reason is shown to the user. */
export function unusable(reason: string, cause?: unknown): StartError {
  return new StartError('data-unusable', reason, { cause });
}

/** Contents of a backup according to its ZIP directory, without unpacking. */
export interface BackupContents {
  readonly about: AboutBackup;
  /** Size of the file, roughly the space that unpacking needs. */
  readonly bytes: number;
  /** Number of library files. */
  readonly objects: number;
}

/**
 * Reads the contents of a backup.
 *
 * @throws StartError when the file is not a backup, or cannot be restored by this version.
 */
export async function readBackupContents(file: string): Promise<BackupContents> {
  return withBackup(file, async (zip) => {
    let about: AboutBackup | null = null;
    let objects = 0;
    let hasDatabase = false;
    for await (const entry of zip.eachEntry()) {
      if (!about) about = await readAbout(zip, entry, file);
      else if (isObject(entry.fileName)) objects += 1;
      else hasDatabase ||= entry.fileName === databaseMember;
    }
    if (!about || !hasDatabase) throw unusable(`${file} is not a complete backup of Benchport.`);
    return { about, bytes: (await stat(file)).size, objects };
  });
}

/**
 * Opens a backup for work on its members.
 *
 * @throws StartError when the file is not a valid archive, also when that is found during the work.
 */
export async function withBackup<T>(file: string, work: (zip: yauzl.ZipFile) => Promise<T>): Promise<T> {
  const zip = await yauzl.openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    throw unusable(openFailureText(file, error), error);
  });
  try {
    return await work(zip);
  } catch (error) {
    // Errors of the ZIP reader have neither a class nor a code of their own.
    if (error instanceof Error && error.constructor === Error && !('code' in error)) {
      throw unusable(`${file} is not a backup, or it is damaged: ${error.message}`, error);
    }
    throw error;
  } finally {
    zip.close();
  }
}

/**
 * The message for a file that cannot be opened: the system's error, or that it is not an archive.
 */
function openFailureText(file: string, error: unknown): string {
  if (error instanceof Error && 'code' in error) return `${file} cannot be opened: ${failureText(error)}.`;
  return `${file} is not a backup, or it is damaged: it does not end like an archive.`;
}

/**
 * Reads the first member, which describes the backup. @throws StartError when the archive is not a
 * backup, or was made by a newer version.
 */
export async function readAbout(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string): Promise<AboutBackup> {
  if (entry.fileName !== aboutMember || entry.uncompressedSize > largestAbout)
    throw unusable(`${file} is not a backup of Benchport.`);
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const value = parseJson(Buffer.concat(chunks).toString());
  if (!aboutBackup.Check(value)) throw unusable(`${file} is not a backup of Benchport, or it is damaged.`);
  const newest = migrations.at(-1)?.number ?? 0;
  if (value.format !== backupFormat || value.database_version > newest) {
    throw new StartError(
      'data-newer',
      `${file} was made by a newer Benchport (${value.program_version}). Install that one, then restore it.`,
    );
  }
  return value;
}

/** Whether a member is a file of the library. */
export function isObject(name: string): boolean {
  return objectName.test(name);
}
