import type { Database, Transaction } from '../database/port/database.ts';
import { write } from '../database/port/query.ts';
import { run } from '../database/port/steps.ts';

export interface NewAuditEvent {
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
  record(event: NewAuditEvent): Promise<void>;
}

type AuditColumns = [number, number | null, string, string, string | null, number | null, string | null];

const insert = write<AuditColumns>(
  'INSERT INTO audit_events (at, user_id, action, subject, detail, application_id, address) VALUES (?, ?, ?, ?, ?, ?, ?)',
);

/** Appends to the audit trail within a transaction. */
export function* recordAudit(event: NewAuditEvent): Transaction<void> {
  yield* run(insert, ...rowOf(event));
}

/**
 * Appends to the audit trail, which records all events except transfers. @param announce called
 * after each row.
 */
export function auditStore(database: Database, announce: () => void): AuditStore {
  return {
    record: async (event) => {
      await database.run(insert, ...rowOf(event));
      announce();
    },
  };
}

function rowOf(event: NewAuditEvent): AuditColumns {
  const { userId, action, subject, detail = null, applicationId = null, address = null } = event;
  return [Date.now(), userId, action, subject, detail, applicationId, address];
}
