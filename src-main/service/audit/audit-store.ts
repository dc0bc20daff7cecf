import type Database from 'better-sqlite3';

export interface AuditEvent {
  readonly userId: number | null;
  /** Object and verb, such as `token.revoke` or `measurement.degraded`. */
  readonly action: string;
  /** The affected object, such as `token:12` or `measurement:qmr-114`. */
  readonly subject: string;
  /** One more line, without secrets. */
  readonly detail?: string;
  /** The OAuth application that acted or was affected. */
  readonly applicationId?: number | null;
  /** IP address of the client. */
  readonly address?: string | null;
}

export interface AuditStore {
  record(event: AuditEvent): Promise<void>;
}

/**
 * Appends to the audit trail, which records all events except transfers. @param announce called
 * after each row.
 */
export function auditStore(database: Database.Database, announce: () => void): AuditStore {
  const write = auditWriter(database);
  return {
    record: async (event) => {
      write(event);
      announce();
    },
  };
}

/** Writes audit rows within the transaction of another store. */
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
