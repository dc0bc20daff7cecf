import type { SqliteMigration } from './migration.ts';

/** Applied also to the journals that `benchport download` keeps beside its target. */
export const titleKeyOfFetches = `
ALTER TABLE fetches ADD COLUMN title_key TEXT NOT NULL DEFAULT '';
`;

/**
 * E-mail addresses and titles of fetches compare regardless of the case of all letters; all orders
 * of tokens use indexes.
 */
export const lettersOfLists: SqliteMigration = {
  number: 18,
  name: 'letters-of-lists',
  sql: `
-- folded_key of the address, written with it. Not unique: addresses that were told apart before stay, and only new ones are held against it.
ALTER TABLE users ADD COLUMN email_key TEXT;
UPDATE users SET email_key = folded_key(email) WHERE email IS NOT NULL;
CREATE INDEX users_by_email ON users (email_key) WHERE email_key IS NOT NULL;

-- folded_key of what the list shows as the title, which is the id where there is none.
${titleKeyOfFetches}UPDATE fetches SET title_key = folded_key(ifnull(title, measurement_id));

-- Of equal values the newest comes first in both directions, and one index gives that in one direction.
DROP INDEX tokens_by_end;
CREATE INDEX tokens_by_end ON personal_access_tokens (ifnull(expires_at, 9007199254740991));
CREATE INDEX tokens_by_end_ascending ON personal_access_tokens (ifnull(expires_at, 9007199254740991), id DESC);
CREATE INDEX tokens_by_use ON personal_access_tokens (ifnull(last_used_at, 0));
CREATE INDEX tokens_by_use_ascending ON personal_access_tokens (ifnull(last_used_at, 0), id DESC);
CREATE INDEX tokens_by_name_ascending ON personal_access_tokens (name_key, id DESC);
`,
};
