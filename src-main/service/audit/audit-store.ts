import type Database from 'better-sqlite3';

export interface AuditEvent {
  readonly userId: number | null;
  /** A verb with its object, such as `token.revoke` or `measurement.degraded`. */
  readonly action: string;
  /** What it was done to, such as `token:12` or `measurement:qmr-114`. */
  readonly subject: string;
  /** One line more, without secrets. */
  readonly detail?: string;
  /** The OAuth application that acted, or that it was about. */
  readonly applicationId?: number | null;
  /** Where the request came from. */
  readonly address?: string | null;
}

export interface AuditStore {
  record(event: AuditEvent): Promise<void>;
}

/** The audit trail of everything but transfers; rows are only ever added. @param announce called after each. */
export function auditStore(database: Database.Database, announce: () => void): AuditStore {
  const write = auditWriter(database);
  return {
    record: async (event) => {
      write(event);
      announce();
    },
  };
}

/** Writes a row of the audit trail within another store's transaction. */
export function auditWriter(database: Database.Database): (event: AuditEvent) => void {
  const insert = database.prepare(
    'INSERT INTO audit_events (at, user_id, action, subject, detail, application_id, address) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return (event) =>
    void insert.run(
      Date.now(),
      event.userId,
      event.action,
      event.subject,
      event.detail ?? null,
      event.applicationId ?? null,
      event.address ?? null,
    );
}
