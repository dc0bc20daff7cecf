import type { SqliteMigration } from './migration.ts';

/** Indexes for the orders of lists of users, tokens and jobs. */
export const listOrders: SqliteMigration = {
  number: 14,
  name: 'list-orders',
  sql: `
CREATE INDEX users_by_state ON users (state, username);
CREATE INDEX users_by_creation ON users (state, created_at, username);
CREATE INDEX users_by_sign_in ON users (state, ifnull(current_sign_in_at, 0), username);
CREATE INDEX tokens_by_creation ON personal_access_tokens (created_at);
CREATE INDEX jobs_of_user ON jobs (user_id, id);
`,
};
