import type Database from 'better-sqlite3';

export type TransferKind = 'manifest' | 'file' | 'archive';
export type TransferOutcome = 'complete' | 'client-closed' | 'revoked' | 'file-changed' | 'read-error' | 'checksum-mismatch' | 'stalled' | 'stopped';

/** One transfer as it is written: whole when it was short, without an end when it still runs. */
export interface NewTransferRow {
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly userId: number;
  readonly tokenId: number | null;
  readonly address: string | null;
  readonly measurementId: string;
  readonly what: TransferKind;
  readonly fileIndex: number | null;
  readonly range: string | null;
  readonly status: number;
  readonly bytesSent: number;
  readonly outcome: TransferOutcome | null;
  readonly userAgent: string | null;
}

export interface TransferProgress {
  readonly id: number;
  readonly endedAt: number | null;
  readonly bytesSent: number;
  readonly outcome: TransferOutcome | null;
}

export interface TransferWithNames {
  readonly id: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly username: string | null;
  readonly token_name: string | null;
  readonly address: string | null;
  readonly what: TransferKind;
  readonly file_index: number | null;
  readonly range: string | null;
  readonly status: number;
  readonly bytes_sent: number;
  readonly outcome: string | null;
  readonly user_agent: string | null;
}

export interface TransfersStore {
  /** Writes new rows and what became of older ones in one transaction. @returns the ids of the new rows, in order. */
  write(rows: readonly NewTransferRow[], progress: readonly TransferProgress[]): Promise<readonly number[]>;
  /** The transfers of a measurement, the newest first. */
  ofMeasurement(measurementId: string, limit: number, offset: number): Promise<{ readonly rows: readonly TransferWithNames[]; readonly total: number }>;
}

/** The audit trail of transfers in SQLite. */
export function transfersStore(database: Database.Database): TransfersStore {
  const insert = database.prepare(
    `INSERT INTO transfers (started_at, ended_at, user_id, token_id, address, measurement_id, what, file_index, range, status, bytes_sent, outcome, user_agent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare<[number | null, number, string | null, number]>(
    'UPDATE transfers SET ended_at = ?, bytes_sent = ?, outcome = ? WHERE id = ?',
  );
  const page = database.prepare<[string, number, number], TransferWithNames>(
    `SELECT page.*, users.username, personal_access_tokens.name AS token_name
     FROM (SELECT * FROM transfers WHERE measurement_id = ? ORDER BY id DESC LIMIT ? OFFSET ?) AS page
     LEFT JOIN users ON users.id = page.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = page.token_id ORDER BY page.id DESC`,
  );
  const count = database.prepare<[string], number>('SELECT count(*) FROM transfers WHERE measurement_id = ?').pluck();
  const write = database.transaction((rows: readonly NewTransferRow[], progress: readonly TransferProgress[]): number[] => {
    for (const one of progress) update.run(one.endedAt, one.bytesSent, one.outcome, one.id);
    return rows.map((row) =>
      Number(
        insert.run(
          row.startedAt,
          row.endedAt,
          row.userId,
          row.tokenId,
          row.address,
          row.measurementId,
          row.what,
          row.fileIndex,
          row.range,
          row.status,
          row.bytesSent,
          row.outcome,
          row.userAgent,
        ).lastInsertRowid,
      ),
    );
  });
  return {
    write: async (rows, progress) => write.immediate(rows, progress),
    ofMeasurement: async (measurementId, limit, offset) => ({
      rows: page.all(measurementId, limit, offset),
      total: count.get(measurementId) ?? 0,
    }),
  };
}
