import { Type, type Static } from 'typebox';

/**
 * A backup is a ZIP of uncompressed members in this order: description, database, key of the
 * secrets, certificate, library. Any ZIP program can read it, and nothing in it depends on the
 * location of the data directory.
 */
export const aboutMember = 'benchport-backup.json';
export const databaseMember = 'benchport.db';
export const keyMember = 'secret.key';
export const libraryFolder = 'library/';
/**
 * The self-signed certificate, so that users need not compare its fingerprint again after a
 * restore.
 */
export const certificateMembers = ['tls/key.pem', 'tls/certificate.pem'] as const;

export const backupFormat = 1;

/** Content of the first member, which describes the backup. */
export const AboutBackup = Type.Object({
  format: Type.Integer(),
  made_at: Type.String({ format: 'date-time' }),
  program_version: Type.String(),
  database_version: Type.Integer(),
  measurements: Type.Integer(),
  users: Type.Optional(Type.Integer()),
});
export type AboutBackup = Static<typeof AboutBackup>;

/** Progress of a backup or restore. */
export interface BackupProgress {
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** Receives progress; the work waits for the returned promise, so that it can be paused. */
export type ReportProgress = (progress: BackupProgress) => void | Promise<void>;
