import type { Migration } from './early/migration.ts';

/**
 * State between two steps of a sign-in, for minutes. It has no foreign key: each step reads its
 * user, and rows of a user who is gone expire.
 */
export const shortLived: Migration = {
  number: 20,
  name: 'short-lived',
  sql: `
CREATE TABLE short_lived (
  kind TEXT NOT NULL,
  -- SHA-256 of the secret that the client holds.
  key BLOB NOT NULL,
  owner_id INTEGER NOT NULL,
  -- JSON, sealed with a key made of that secret.
  value BLOB NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT;
CREATE INDEX short_lived_by_owner ON short_lived (kind, owner_id, until);
CREATE INDEX short_lived_by_kind ON short_lived (kind, until);
CREATE INDEX short_lived_by_end ON short_lived (until);
`,
  postgres: `
CREATE TABLE short_lived (
  kind text COLLATE "C" NOT NULL,
  -- SHA-256 of the secret that the client holds.
  key bytea NOT NULL,
  owner_id bigint NOT NULL,
  -- JSON, sealed with a key made of that secret.
  value bytea NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (kind, key)
);
CREATE INDEX short_lived_by_owner ON short_lived (kind, owner_id, until);
CREATE INDEX short_lived_by_kind ON short_lived (kind, until);
CREATE INDEX short_lived_by_end ON short_lived (until);
`,
};
