import type Database from 'better-sqlite3';
import { notHidden } from '../../projects/projects-store.ts';

/** Current name and owner of a subject of the audit trail. */
export interface SubjectNow {
  readonly name: string;
  /** User name. */
  readonly owner: string | null;
  /** False when it is blocked, revoked or expired. */
  readonly active: boolean;
}

export interface AuditSubjectsStore {
  /** Null for deleted subjects and for those without a name. @param subject such as `token:12` */
  now(subject: string): Promise<SubjectNow | null>;
}

interface SubjectRow extends Omit<SubjectNow, 'active'> {
  readonly active: 0 | 1;
}

/**
 * Looks up the current state of the users, tokens, applications, measurements and projects named in
 * the audit trail.
 */
export function auditSubjectsStore(database: Database.Database): AuditSubjectsStore {
  const prepare = (sql: string) => database.prepare<[{ key: string; now: number }], SubjectRow>(sql);
  const kinds = new Map([
    ['user', prepare("SELECT username AS name, NULL AS owner, state = 'active' AS active FROM users WHERE id = @key")],
    [
      'token',
      prepare(
        `SELECT token.name, username AS owner, revoked_at IS NULL AND ifnull(expires_at > @now, TRUE) AS active
         FROM personal_access_tokens AS token JOIN users ON users.id = user_id WHERE token.id = @key`,
      ),
    ],
    ['application', prepare('SELECT name, NULL AS owner, TRUE AS active FROM oauth_applications WHERE id = @key')],
    ['measurement', prepare('SELECT title AS name, NULL AS owner, TRUE AS active FROM measurements WHERE id = @key')],
    [
      'project',
      prepare(`SELECT path AS name, NULL AS owner, TRUE AS active FROM projects WHERE id = @key AND ${notHidden}`),
    ],
  ]);
  return {
    now: async (subject) => {
      const at = subject.indexOf(':');
      const row = kinds.get(subject.slice(0, Math.max(0, at)))?.get({ key: subject.slice(at + 1), now: Date.now() });
      return row === undefined ? null : { ...row, active: row.active === 1 };
    },
  };
}
