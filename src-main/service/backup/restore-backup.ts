import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { AboutBackup } from './backup-format.ts';
import { unusable } from './read-backup.ts';
import { unpackBackup, type UnpackInput } from './unpack-backup.ts';

export interface RestoreInput extends Omit<UnpackInput, 'target'> {
  /** A missing or empty folder. */
  readonly dataDir: string;
}

/**
 * Restores a backup into a new data directory. It is unpacked and verified under a temporary name
 * first, so a damaged backup leaves nothing behind, and existing data are never overwritten.
 *
 * @throws StartError with a message for the user.
 */
export async function restoreBackup(input: RestoreInput): Promise<AboutBackup> {
  if (existsSync(input.dataDir) && (await readdir(input.dataDir)).length > 0) {
    throw unusable(
      `${input.dataDir} already contains data. Name another folder with --data, or move that one away first.`,
    );
  }
  const { dataDir, ...rest } = input;
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
