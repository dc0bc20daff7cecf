import { Type, type Static } from 'typebox';

/**
 * A backup is a ZIP of stored members in this order: what it is, the database, the key of the secrets, the library. Any ZIP program can look
 * into it; nothing in it depends on where the data directory lay.
 */
export const aboutMember = 'benchport-backup.json';
export const databaseMember = 'benchport.db';
export const keyMember = 'secret.key';
export const libraryFolder = 'library/';

export const backupFormat = 1;

/** The first member: read before anything else. */
export const AboutBackup = Type.Object({
  format: Type.Integer(),
  made_at: Type.String({ format: 'date-time' }),
  program_version: Type.String(),
  database_version: Type.Integer(),
  measurements: Type.Integer(),
});
export type AboutBackup = Static<typeof AboutBackup>;

/** How far a backup or a restoration is. */
export interface BackupProgress {
  readonly bytesDone: number;
  readonly bytesTotal: number;
}
