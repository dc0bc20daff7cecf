import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { SettingsStore } from '../database/settings-store.ts';
import { readKeptBackups, writeKeptBackups } from './backup-notes.ts';

// A restored backup brings its list of paths along, which may have been forged to name any file.
const dated = /^benchport-\d{4}-\d\d-\d\d-\d{6}(-\d+)?\.zip$/;

/** A file name for a scheduled backup by the time in UTC: `benchport-2026-11-22-031500.zip`. */
export function datedBackup(folder: string, now: number): string {
  const [day, time = ''] = new Date(now).toISOString().split('T');
  const stem = `benchport-${day}-${time.slice(0, 8).replaceAll(':', '')}`;
  for (let number = 1; ; number += 1) {
    const file = path.join(folder, `${stem}${number === 1 ? '' : `-${number}`}.zip`);
    if (!existsSync(file)) return file;
  }
}

/**
 * Records a scheduled backup and deletes the oldest ones in its folder beyond `keep`. Other files,
 * and backups of other data directories in the folder, are not on the list and stay.
 *
 * @returns the deleted paths.
 */
export async function keepNewest(settings: SettingsStore, file: string, keep: number): Promise<readonly string[]> {
  const made = [...(await readKeptBackups(settings)), file];
  // The list is stored before the files are deleted, so that a file that cannot be deleted is not
  // retried forever.
  const here = made.filter(
    (one) => path.dirname(one) === path.dirname(file) && dated.test(path.basename(one)) && existsSync(one),
  );
  const old = new Set(here.slice(0, Math.max(0, here.length - keep)));
  await writeKeptBackups(
    settings,
    made.filter((one) => !old.has(one)),
  );
  for (const one of old) await rm(one, { force: true });
  return [...old];
}
