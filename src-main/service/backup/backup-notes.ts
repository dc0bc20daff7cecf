import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { BackupSchedule } from '../contract/backups.ts';
import type { SettingsStore } from '../database/settings-store.ts';

const LastBackup = Type.Object({
  made_at: Type.String(),
  file: Type.String(),
  bytes: Type.Integer(),
  measurements: Type.Integer(),
  /** Number of library files that are missing in the backup. */
  left_out: Type.Integer(),
});
/** The last successful backup. */
export type LastBackup = Static<typeof LastBackup>;

const FailedBackup = Type.Object({ at: Type.String(), reason: Type.String() });
/** The last failure since the last successful backup. */
export type FailedBackup = Static<typeof FailedBackup>;

const maxFiles = 1000;

/** A JSON value in the settings; an invalid one reads as null. */
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
// Paths of scheduled backups, oldest first. Retention removes no other files.
const files = note('backup_files', Type.Array(Type.String()));

export const readLastBackup = last.read;
export const readFailedBackup = failed.read;
export const readBackupSchedule = schedule.read;

/** Records a successful backup and clears an earlier failure. */
export async function noteBackup(settings: SettingsStore, backup: LastBackup): Promise<void> {
  await last.write(settings, backup);
  await failed.write(settings, null);
}

/** Records a failure; it is shown until the next successful backup. */
export async function noteFailedBackup(settings: SettingsStore, failure: FailedBackup): Promise<void> {
  await failed.write(settings, failure);
}

/** Sets or removes (null) the schedule and clears the last failure. */
export async function writeBackupSchedule(settings: SettingsStore, wanted: BackupSchedule | null): Promise<void> {
  await schedule.write(settings, wanted);
  await failed.write(settings, null);
}

/** Paths of the backups made by the schedule, oldest first. */
export async function readKeptBackups(settings: SettingsStore): Promise<readonly string[]> {
  return (await files.read(settings)) ?? [];
}

/** Stores the newest of these paths. */
export async function writeKeptBackups(settings: SettingsStore, kept: readonly string[]): Promise<void> {
  await files.write(settings, kept.slice(-maxFiles));
}
