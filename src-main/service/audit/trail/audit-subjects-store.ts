import type { Reader } from '../../database/port/database.ts';
import { read } from '../../database/port/query.ts';
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

const subjectQuery = (sql: string) => read<{ key: string; now: number }, SubjectRow>(sql);
const kinds = new Map([
  [
    'user',
    subjectQuery("SELECT username AS name, NULL AS owner, state = 'active' AS active FROM users WHERE id = @key"),
  ],
  [
    'token',
    subjectQuery(
      `SELECT token.name, username AS owner, revoked_at IS NULL AND ifnull(expires_at > @now, TRUE) AS active
       FROM personal_access_tokens AS token JOIN users ON users.id = user_id WHERE token.id = @key`,
    ),
  ],
  ['application', subjectQuery('SELECT name, NULL AS owner, TRUE AS active FROM oauth_applications WHERE id = @key')],
  [
    'measurement',
    subjectQuery('SELECT title AS name, NULL AS owner, TRUE AS active FROM measurements WHERE id = @key'),
  ],
  [
    'project',
    subjectQuery(`SELECT path AS name, NULL AS owner, TRUE AS active FROM projects WHERE id = @key AND ${notHidden}`),
  ],
]);

/**
 * Looks up the current state of the users, tokens, applications, measurements and projects named in
 * the audit trail.
 */
export function auditSubjectsStore(database: Reader): AuditSubjectsStore {
  return {
    now: async (subject) => {
      const at = subject.indexOf(':');
      const [kind, key] = [subject.slice(0, Math.max(0, at)), subject.slice(at + 1)];
      // Only measurements are named by a text.
      const query = kind === 'measurement' || /^\d{1,15}$/.test(key) ? kinds.get(kind) : undefined;
      const row = query && (await database.one(query, { key, now: Date.now() }));
      return row ? { ...row, active: row.active === 1 } : null;
    },
  };
}
