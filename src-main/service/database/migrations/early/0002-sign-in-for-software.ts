import type { SqliteMigration } from './migration.ts';

/**
 * OAuth applications, grants and tokens; second factors, lock-out; families of personal access
 * tokens; the application behind an action in the audit trail.
 */
export const signInForSoftware: SqliteMigration = {
  number: 2,
  name: 'sign-in-for-software',
  sql: `
-- All times are milliseconds since 1970, UTC. All secrets are SHA-256 digests of random values of at least 100 bits, unless a column says sealed.

ALTER TABLE users ADD COLUMN failed_sign_ins INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN locked_until INTEGER;
ALTER TABLE users ADD COLUMN password_changed_at INTEGER;
ALTER TABLE users ADD COLUMN last_sign_in_at INTEGER;
ALTER TABLE users ADD COLUMN current_sign_in_at INTEGER;

-- When the user last proved who they are with this login; sensitive changes need it to be recent.
ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER NOT NULL DEFAULT 0;

CREATE TABLE totp_keys (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Encrypted with the key of the data directory; see secrets/secret-box.ts.
  sealed_key BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  -- Null until a first code proved that the authenticator has the key; until then it protects nothing.
  confirmed_at INTEGER,
  -- The newest time step that was used: a code works once (RFC 6238 section 5.2).
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE recovery_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash BLOB NOT NULL,
  used_at INTEGER,
  UNIQUE (user_id, code_hash)
) STRICT;

CREATE TABLE webauthn_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  credential_id BLOB NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX webauthn_keys_of_user ON webauthn_keys (user_id);

-- A token and those that replaced it by rotation: when one that was rotated away is used again, the family ends.
ALTER TABLE personal_access_tokens ADD COLUMN family_id INTEGER;
ALTER TABLE personal_access_tokens ADD COLUMN rotated_at INTEGER;
UPDATE personal_access_tokens SET family_id = id;
CREATE INDEX tokens_of_family ON personal_access_tokens (family_id);

CREATE TABLE oauth_applications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  client_id TEXT NOT NULL UNIQUE,
  -- Null for a public application: it could not keep a secret.
  secret_hash BLOB,
  -- One a line.
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  confidential INTEGER NOT NULL,
  -- Approved without asking the user; set by an administrator.
  trusted INTEGER NOT NULL DEFAULT 0,
  -- May use the implicit grant; set by an administrator on the command line.
  legacy_implicit INTEGER NOT NULL DEFAULT 0,
  device_grant INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (confidential = (secret_hash IS NOT NULL))
) STRICT;
CREATE INDEX oauth_applications_of_owner ON oauth_applications (owner_id);

-- What one approval (or one password) began: every code and token that came of it ends with it.
CREATE TABLE oauth_grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for the password grant without a registered application.
  application_id INTEGER REFERENCES oauth_applications (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('code', 'implicit', 'password', 'device')),
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- The end of all of it, however often it is refreshed.
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX oauth_grants_of_application ON oauth_grants (application_id, user_id);
CREATE INDEX oauth_grants_of_user ON oauth_grants (user_id);
CREATE INDEX oauth_grants_by_end ON oauth_grants (expires_at);

CREATE TABLE oauth_codes (
  code_hash BLOB PRIMARY KEY,
  grant_id INTEGER NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT,
  nonce TEXT,
  -- When the user signed in, for the id_token.
  signed_in_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_of_grant ON oauth_codes (grant_id);
CREATE INDEX oauth_codes_by_end ON oauth_codes (expires_at);

CREATE TABLE oauth_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id INTEGER NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  access_hash BLOB NOT NULL UNIQUE,
  refresh_hash BLOB UNIQUE,
  -- A refresh may narrow the scopes of the grant.
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  refresh_expires_at INTEGER,
  -- The token whose refresh made this one.
  previous_id INTEGER REFERENCES oauth_tokens (id) ON DELETE SET NULL,
  -- When the access token was first used: from then on the one before it is dead.
  first_used_at INTEGER,
  -- When the refresh token was first used; it may be used again for a short while (lost answers, concurrent refreshes).
  refreshed_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX oauth_tokens_of_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_by_previous ON oauth_tokens (previous_id);
CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at);

CREATE TABLE oauth_device_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application_id INTEGER NOT NULL REFERENCES oauth_applications (id) ON DELETE CASCADE,
  device_code_hash BLOB NOT NULL UNIQUE,
  -- Keyed digest: eight characters alone could be guessed from a plain one.
  user_code_hash BLOB NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  interval_seconds INTEGER NOT NULL,
  last_polled_at INTEGER,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  signed_in_at INTEGER,
  decision TEXT CHECK (decision IN ('approved', 'denied')),
  used_at INTEGER
) STRICT;
CREATE INDEX oauth_device_codes_of_application ON oauth_device_codes (application_id);
CREATE INDEX oauth_device_codes_of_user ON oauth_device_codes (user_id);
CREATE INDEX oauth_device_codes_by_end ON oauth_device_codes (expires_at);

-- Which application acted, and with which of its tokens; token_id is a personal access token's.
ALTER TABLE transfers ADD COLUMN oauth_token_id INTEGER;
ALTER TABLE transfers ADD COLUMN application_id INTEGER;

ALTER TABLE audit_events ADD COLUMN application_id INTEGER;
ALTER TABLE audit_events ADD COLUMN address TEXT;
CREATE INDEX audit_by_user ON audit_events (user_id, id);
CREATE INDEX audit_by_action ON audit_events (action, id);
`,
};
