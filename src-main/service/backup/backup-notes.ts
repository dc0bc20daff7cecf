import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { BackupSchedule } from '../contract/backups.ts';
import type { SettingsStore } from '../database/settings-store.ts';

const LastBackup = Type.Object({
  made_at: Type.String(),
  file: Type.String(),
  bytes: Type.Integer(),
  measurements: Type.Integer(),
  /** How many files of the library are not in it. */
  left_out: Type.Integer(),
});
/** The last backup that was written. */
export type LastBackup = Static<typeof LastBackup>;

const FailedBackup = Type.Object({ at: Type.String(), reason: Type.String() });
/** The last one that was not, as long as none was written since. */
export type FailedBackup = Static<typeof FailedBackup>;

const maxFiles = 1000;

/** A note in the settings; what cannot be read as one is none. */
function note<S extends TSchema>(key: string, schema: S) {
  const validator = Compile(schema);
  return {
    read: async (settings: SettingsStore): Promise<Static<S> | null> => {
      const value: unknown = JSON.parse((await settings.get(key)) ?? 'null');
      return validator.Check(value) ? value : null;
    },
    write: async (settings: SettingsStore, value: Static<S> | null): Promise<void> =>
      settings.set(key, JSON.stringify(value)),
  };
}

const last = note('backup_last', LastBackup);
const failed = note('backup_failed', FailedBackup);
const schedule = note('backup_schedule', BackupSchedule);
// Paths of what a schedule has made, oldest first: nothing else is ever removed.
const files = note('backup_files', Type.Array(Type.String()));

export const readLastBackup = last.read;
export const readFailedBackup = failed.read;
export const readBackupSchedule = schedule.read;

/** Notes a backup that was made, and clears a failure before it. */
export async function noteBackup(settings: SettingsStore, backup: LastBackup): Promise<void> {
  await last.write(settings, backup);
  await failed.write(settings, null);
}

/** Notes that a backup could not be made, until one was. */
export async function noteFailedBackup(settings: SettingsStore, failure: FailedBackup): Promise<void> {
  await failed.write(settings, failure);
}

/** Sets the schedule, or ends it, and clears a failure of the one before. */
export async function writeBackupSchedule(settings: SettingsStore, wanted: BackupSchedule | null): Promise<void> {
  await schedule.write(settings, wanted);
  await failed.write(settings, null);
}

/** Paths of the backups that the schedule made, oldest first. */
export async function readKeptBackups(settings: SettingsStore): Promise<readonly string[]> {
  return (await files.read(settings)) ?? [];
}

/** Remembers the newest of these paths. */
export async function writeKeptBackups(settings: SettingsStore, kept: readonly string[]): Promise<void> {
  await files.write(settings, kept.slice(-maxFiles));
}
