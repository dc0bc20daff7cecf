import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import type { SqliteMigration } from '../../../src-main/service/database/migrations/early/migration.ts';

/** A migration after the newest one that changes existing rows and writes many new ones. */
export function slowMigration(rows: number): SqliteMigration {
  return {
    number: (migrations.at(-1)?.number ?? 0) + 1,
    name: 'slow',
    sql: `
UPDATE users SET name = 'changed';
CREATE TABLE filler (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
INSERT INTO filler SELECT value, hex(randomblob(200)) FROM (WITH RECURSIVE counter (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM counter LIMIT ${rows}) SELECT value FROM counter);
`,
  };
}
