import type { SqliteMigration } from './migration.ts';

/** Indexes for the orders of the list of tokens; that of names ignores the case of all letters. */
export const tokenOrders: SqliteMigration = {
  number: 17,
  name: 'token-orders',
  sql: `
-- folded_key of the name, written with it.
ALTER TABLE personal_access_tokens ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
UPDATE personal_access_tokens SET name_key = folded_key(name);
CREATE INDEX tokens_by_name ON personal_access_tokens (name_key);
CREATE INDEX tokens_by_end ON personal_access_tokens (expires_at);
`,
};
