import type Database from 'better-sqlite3';

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly username: string | null;
  readonly application: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: string | null;
  readonly address: string | null;
}

/** Which rows of the audit trail are meant: those for which everything holds that is given. */
export interface AuditFilter {
  readonly userId: number | null;
  /** Beginning of the action, such as `user.` or `token.revoke`. */
  readonly action: string;
  /** Milliseconds since 1970; the end is not part of it. */
  readonly from: number;
  readonly before: number;
}

export interface AuditListStore {
  /** One page, the newest first, and how many there are. */
  page(filter: AuditFilter, limit: number, offset: number): Promise<{ readonly rows: readonly AuditRow[]; readonly total: number }>;
  /** Rows older than the one with the number `below`, the newest first, at most `limit`. */
  older(filter: AuditFilter, below: number, limit: number): Promise<readonly AuditRow[]>;
}

/** Reads the audit trail. */
export function auditListStore(database: Database.Database): AuditListStore {
  const columns = 'event.id, at, username, oauth_applications.name AS application, action, subject, detail, address';
  const joined = `audit_events AS event LEFT JOIN users ON users.id = event.user_id LEFT JOIN oauth_applications ON oauth_applications.id = event.application_id`;
  // An action is ASCII: what begins with a text sorts at or after that text, and before the text followed by the last code point.
  const fitting = `(@userId IS NULL OR event.user_id = @userId) AND action >= @action AND action < @action || char(1114111) AND at >= @from AND at < @before`;
  const page = database.prepare<[AuditFilter & { limit: number; offset: number }], AuditRow>(
    `SELECT ${columns} FROM ${joined} WHERE ${fitting} ORDER BY event.id DESC LIMIT @limit OFFSET @offset`,
  );
  const count = database.prepare<[AuditFilter], number>(`SELECT count(*) FROM audit_events AS event WHERE ${fitting}`).pluck();
  const older = database.prepare<[AuditFilter & { below: number; limit: number }], AuditRow>(
    `SELECT ${columns} FROM ${joined} WHERE event.id < @below AND ${fitting} ORDER BY event.id DESC LIMIT @limit`,
  );
  return {
    page: async (filter, limit, offset) => ({ rows: page.all({ ...filter, limit, offset }), total: count.get(filter) ?? 0 }),
    older: async (filter, below, limit) => older.all({ ...filter, below, limit }),
  };
}
