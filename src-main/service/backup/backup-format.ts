import { Type, type Static } from 'typebox';

/**
 * A backup is a ZIP of stored members in this order: what it is, the database, the key of the secrets, the certificate, the library. Any ZIP program can look
 * into it; nothing in it depends on where the data directory lay.
 */
export const aboutMember = 'benchport-backup.json';
export const databaseMember = 'benchport.db';
export const keyMember = 'secret.key';
export const libraryFolder = 'library/';
/** The certificate made here: whoever has compared its fingerprint must not have to again after a restoration. */
export const certificateMembers = ['tls/key.pem', 'tls/certificate.pem'] as const;

export const backupFormat = 1;

/** The first member: read before anything else. */
export const AboutBackup = Type.Object({
  format: Type.Integer(),
  made_at: Type.String({ format: 'date-time' }),
  program_version: Type.String(),
  database_version: Type.Integer(),
  measurements: Type.Integer(),
  users: Type.Optional(Type.Integer()),
});
export type AboutBackup = Static<typeof AboutBackup>;

/** How far a backup or a restoration is. */
export interface BackupProgress {
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** Hears of progress; the work waits for the answer, so that it can be paused. */
export type ReportProgress = (progress: BackupProgress) => void | Promise<void>;
