import { recordAudit, type NewAuditEvent } from '../audit/audit-store.ts';
import type { Database } from '../database/port/database.ts';
import { read, write } from '../database/port/query.ts';
import { one, run } from '../database/port/steps.ts';

export interface ReceiptRow {
  readonly measurement_id: string;
  readonly user_id: number;
  readonly manifest_sha256: string;
  /** Milliseconds since 1970. */
  readonly issued_at: number;
  readonly receipt: string;
}

export interface ReceiptWithName extends ReceiptRow {
  /** Of a user who was removed: null. */
  readonly username: string | null;
}

export interface ReceiptsStore {
  find(measurementId: string, manifestSha256: string, userId: number): Promise<ReceiptRow | null>;
  /**
   * Stores a receipt with its entry of the audit trail.
   *
   * @returns the one that was stored first for this user and these bytes.
   */
  add(row: ReceiptRow, issued: NewAuditEvent): Promise<ReceiptRow>;
  /** The newest first, at most `limit`. @param userId only those issued to this user; null for all. */
  ofMeasurement(measurementId: string, userId: number | null, limit: number): Promise<readonly ReceiptWithName[]>;
}

const columns = 'measurement_id, user_id, manifest_sha256, issued_at, receipt';
const find = read<[string, string, number], ReceiptRow>(
  `SELECT ${columns} FROM receipts WHERE measurement_id = ? AND manifest_sha256 = ? AND user_id = ?`,
);
const insert = write<[string, number, string, number, string]>(
  `INSERT INTO receipts (${columns}) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT (measurement_id, manifest_sha256, user_id) DO NOTHING`,
);
const withNames = `SELECT r.measurement_id, r.user_id, r.manifest_sha256, r.issued_at, r.receipt, users.username
   FROM receipts AS r LEFT JOIN users ON users.id = r.user_id`;
const newestFirst = 'ORDER BY r.issued_at DESC, r.id DESC LIMIT ?';
const ofMeasurement = read<[string, number], ReceiptWithName>(`${withNames} WHERE r.measurement_id = ? ${newestFirst}`);
const ofUser = read<[string, number, number], ReceiptWithName>(
  `${withNames} WHERE r.measurement_id = ? AND r.user_id = ? ${newestFirst}`,
);

/** The receipts that this service has issued. */
export function receiptsStore(database: Database): ReceiptsStore {
  return {
    find: async (measurementId, manifestSha256, userId) => database.one(find, measurementId, manifestSha256, userId),
    add: async (row, issued) =>
      database.transaction(function* () {
        const { measurement_id: id, user_id: userId, manifest_sha256: digest, issued_at: at, receipt } = row;
        if ((yield* run(insert, id, userId, digest, at, receipt)) > 0) yield* recordAudit(issued);
        return (yield* one(find, row.measurement_id, row.manifest_sha256, row.user_id)) ?? row;
      }),
    ofMeasurement: async (measurementId, userId, limit) =>
      userId === null
        ? database.all(ofMeasurement, measurementId, limit)
        : database.all(ofUser, measurementId, userId, limit),
  };
}
