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
  /** Beginning of the action, such as `user.` or `token.revoke`; empty for all. */
  readonly action: string;
  /** Milliseconds since 1970; the end is not part of it. */
  readonly from: number | null;
  readonly before: number | null;
}

export interface AuditListStore {
  /** One page, the newest first, and how many there are. */
  page(filter: AuditFilter, limit: number, offset: number): Promise<{ readonly rows: readonly AuditRow[]; readonly total: number }>;
  /** Rows older than the one with the number `below`, the newest first, at most `limit`. */
  older(filter: AuditFilter, below: number, limit: number): Promise<readonly AuditRow[]>;
}

const columns = 'event.id, at, username, oauth_applications.name AS application, action, subject, detail, address';
const joined = 'audit_events AS event LEFT JOIN users ON users.id = event.user_id LEFT JOIN oauth_applications ON oauth_applications.id = event.application_id';

/** Reads the audit trail. Conditions are written only for what is asked for: with all of them in it, a page of everything would sort everything. */
export function auditListStore(database: Database.Database): AuditListStore {
  return {
    page: async (filter, limit, offset) => {
      const where = conditions(filter, 'action');
      const rows = database.prepare<[AuditFilter & { limit: number; offset: number }], AuditRow>(
        `SELECT ${columns} FROM ${joined} WHERE ${where} ORDER BY event.id DESC LIMIT @limit OFFSET @offset`,
      );
      const total = database.prepare<[AuditFilter], number>(`SELECT count(*) FROM audit_events AS event WHERE ${where}`).pluck();
      return { rows: rows.all({ ...filter, limit, offset }), total: total.get(filter) ?? 0 };
    },
    older: async (filter, below, limit) => {
      // Page after page through the rows in their order: by the index of actions, each page would sort all that are left.
      const where = conditions(filter, '+action');
      const rows = database.prepare<[AuditFilter & { below: number; limit: number }], AuditRow>(
        `SELECT ${columns} FROM ${joined} WHERE event.id < @below AND ${where} ORDER BY event.id DESC LIMIT @limit`,
      );
      return rows.all({ ...filter, below, limit });
    },
  };
}

/** @param action the column, with a plus where its index is not to be used. */
function conditions(filter: AuditFilter, action: string): string {
  return [
    'TRUE',
    ...(filter.userId === null ? [] : ['event.user_id = @userId']),
    // An action is ASCII: what begins with a text sorts at or after that text, and before the text followed by the last code point.
    ...(filter.action === '' ? [] : [`${action} >= @action AND ${action} < @action || char(1114111)`]),
    ...(filter.from === null ? [] : ['at >= @from']),
    ...(filter.before === null ? [] : ['at < @before']),
  ].join(' AND ');
}
