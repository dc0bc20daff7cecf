-- src-main/service/oauth/store/applications-store.ts

INSERT INTO oauth_applications
  (owner_id, name, client_id, secret_hash, redirect_uris, scopes, confidential, trusted, legacy_implicit, device_grant, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *;

SELECT * FROM oauth_applications WHERE id = ?;

SELECT * FROM oauth_applications WHERE client_id = ?;

SELECT * FROM oauth_applications WHERE owner_id = ? ORDER BY id DESC;

SELECT * FROM oauth_applications ORDER BY id DESC;

SELECT * FROM oauth_applications ORDER BY id LIMIT ? OFFSET ?;

SELECT count(*) FROM (SELECT 1 FROM oauth_applications LIMIT ?) AS counted;

UPDATE oauth_applications SET name = ?, redirect_uris = ?, scopes = ?, trusted = ?, device_grant = ?, updated_at = ? WHERE id = ? RETURNING *;

UPDATE oauth_applications SET secret_hash = ?, updated_at = ? WHERE id = ? AND confidential = 1;

DELETE FROM oauth_applications WHERE id = ?;

-- src-main/service/oauth/store/device-codes-store.ts

INSERT INTO oauth_device_codes (application_id, device_code_hash, user_code_hash, scopes, created_at, expires_at, interval_seconds)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_code_hash) DO NOTHING;

SELECT id, application_id, scopes FROM oauth_device_codes WHERE user_code_hash = @hash AND CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= @now THEN 'expired' ELSE ifnull(decision, 'waiting') END = 'waiting';

SELECT *, CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= @now THEN 'expired' ELSE ifnull(decision, 'waiting') END AS stage FROM oauth_device_codes WHERE device_code_hash = @hash AND application_id = @application;

UPDATE oauth_device_codes SET last_polled_at = ?, interval_seconds = ? WHERE id = ?;

UPDATE oauth_device_codes SET used_at = @now WHERE id = @id AND CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= @now THEN 'expired' ELSE ifnull(decision, 'waiting') END IN ('approved');

UPDATE oauth_device_codes SET decision = 'approved', user_id = @userId, signed_in_at = @signedInAt
  WHERE id = @id AND CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= @now THEN 'expired' ELSE ifnull(decision, 'waiting') END IN ('waiting');

UPDATE oauth_device_codes SET decision = 'denied', user_id = @userId, signed_in_at = @signedInAt
  WHERE id = @id AND CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= @now THEN 'expired' ELSE ifnull(decision, 'waiting') END IN ('waiting');

-- src-main/service/oauth/store/grant-list-store.ts

SELECT DISTINCT scopes FROM oauth_grants AS g WHERE application_id = @application AND user_id = @user AND revoked_at IS NULL AND EXISTS (SELECT 1 FROM oauth_tokens AS token WHERE token.grant_id = g.id AND token.revoked_at IS NULL
  AND (token.expires_at > @now OR token.refresh_expires_at > @now));

SELECT application_id, application.name AS application_name, confidential, owner.id AS owner_id, owner.username AS owner_username,
  owner.name AS owner_name, g.scopes, g.created_at,
  (SELECT max(max(coalesce(first_used_at, 0), coalesce(refreshed_at, 0))) FROM oauth_tokens WHERE grant_id = g.id) AS last_used_at
  FROM oauth_grants AS g LEFT JOIN oauth_applications AS application ON application.id = application_id LEFT JOIN users AS owner ON owner.id = owner_id
  WHERE user_id = @user AND revoked_at IS NULL AND EXISTS (SELECT 1 FROM oauth_tokens AS token WHERE token.grant_id = g.id AND token.revoked_at IS NULL
  AND (token.expires_at > @now OR token.refresh_expires_at > @now)) ORDER BY g.id DESC;

SELECT count(DISTINCT user_id) FROM oauth_grants AS g WHERE application_id = @application AND revoked_at IS NULL AND EXISTS (SELECT 1 FROM oauth_tokens AS token WHERE token.grant_id = g.id AND token.revoked_at IS NULL
  AND (token.expires_at > @now OR token.refresh_expires_at > @now));

-- SQLite
UPDATE oauth_grants SET revoked_at = ?, expires_at = min(expires_at, ?) WHERE user_id = ? AND application_id IS ? AND iif(revoked_at IS NULL, 'active', 'ended') IN ('active');
-- PostgreSQL
UPDATE oauth_grants SET revoked_at = ?, expires_at = min(expires_at, ?) WHERE user_id = ? AND application_id IS NOT DISTINCT FROM ? AND iif(revoked_at IS NULL, 'active', 'ended') IN ('active');

UPDATE oauth_grants SET revoked_at = ?, expires_at = min(expires_at, ?) WHERE user_id = ? AND iif(revoked_at IS NULL, 'active', 'ended') IN ('active');

-- SQLite
DELETE FROM oauth_device_codes WHERE user_id = ? AND application_id IS ?;
-- PostgreSQL
DELETE FROM oauth_device_codes WHERE user_id = ? AND application_id IS NOT DISTINCT FROM ?;

DELETE FROM oauth_device_codes WHERE user_id = ?;

-- src-main/service/oauth/store/purge-store.ts

DELETE FROM oauth_tokens WHERE id IN (SELECT id FROM oauth_tokens WHERE expires_at < ? LIMIT ?);

DELETE FROM oauth_codes WHERE code_hash IN (SELECT code_hash FROM oauth_codes WHERE expires_at < ? LIMIT ?);

DELETE FROM oauth_device_codes WHERE id IN (SELECT id FROM oauth_device_codes WHERE expires_at < ? LIMIT ?);

DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE expires_at < ? LIMIT ?);

SELECT max(id) FROM (SELECT id FROM oauth_grants WHERE id > ? ORDER BY id LIMIT ?) AS page;

DELETE FROM oauth_grants WHERE id > ? AND id <= ? AND created_at < ?
  AND NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = oauth_grants.id) AND NOT EXISTS (SELECT 1 FROM oauth_codes WHERE grant_id = oauth_grants.id);

-- src-main/service/oauth/store/token-issue-store.ts

INSERT INTO oauth_codes (code_hash, grant_id, redirect_uri, code_challenge, nonce, signed_in_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?);

-- SQLite
SELECT code.*, application_id, user_id, scopes, oauth_grants.expires_at AS grant_expires_at, revoked_at AS grant_revoked_at, state AS user_state
  FROM oauth_codes AS code JOIN oauth_grants ON oauth_grants.id = grant_id JOIN users ON users.id = user_id WHERE code_hash = ?;
-- PostgreSQL
SELECT code.*, application_id, user_id, scopes, oauth_grants.expires_at AS grant_expires_at, revoked_at AS grant_revoked_at, state AS user_state
  FROM oauth_codes AS code JOIN oauth_grants ON oauth_grants.id = grant_id JOIN users ON users.id = user_id WHERE code_hash = ? FOR NO KEY UPDATE OF oauth_grants, code;

UPDATE oauth_codes SET used_at = ? WHERE code_hash = ?;

-- SQLite
SELECT token.id, grant_id, application_id, user_id, token.scopes, previous_id, refresh_expires_at, first_used_at, refreshed_at, token.revoked_at,
  oauth_grants.expires_at AS grant_expires_at, oauth_grants.revoked_at AS grant_revoked_at, state AS user_state
  FROM oauth_tokens AS token JOIN oauth_grants ON oauth_grants.id = grant_id JOIN users ON users.id = user_id WHERE refresh_hash = ?;
-- PostgreSQL
SELECT token.id, grant_id, application_id, user_id, token.scopes, previous_id, refresh_expires_at, first_used_at, refreshed_at, token.revoked_at,
  oauth_grants.expires_at AS grant_expires_at, oauth_grants.revoked_at AS grant_revoked_at, state AS user_state
  FROM oauth_tokens AS token JOIN oauth_grants ON oauth_grants.id = grant_id JOIN users ON users.id = user_id WHERE refresh_hash = ? FOR NO KEY UPDATE OF oauth_grants, token;

UPDATE oauth_tokens SET refreshed_at = ?, first_used_at = coalesce(first_used_at, ?) WHERE id = ?;

UPDATE oauth_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL;

UPDATE oauth_grants SET revoked_at = ?, expires_at = min(expires_at, ?) WHERE id = ? AND iif(revoked_at IS NULL, 'active', 'ended') IN ('active');

-- src-main/service/oauth/store/token-lookup-store.ts

SELECT token.id, grant_id, application_id, client_id, user_id, username, is_admin, token.scopes, token.created_at, token.expires_at,
  refresh_expires_at, previous_id, first_used_at, refreshed_at
  FROM oauth_tokens AS token
  JOIN oauth_grants AS g ON g.id = grant_id AND g.revoked_at IS NULL
  JOIN users ON users.id = user_id AND users.state = 'active'
  LEFT JOIN oauth_applications AS application ON application.id = application_id
  WHERE token.revoked_at IS NULL AND access_hash = ? AND token.expires_at > ?;

SELECT token.id, grant_id, application_id, client_id, user_id, username, is_admin, token.scopes, token.created_at, token.expires_at,
  refresh_expires_at, previous_id, first_used_at, refreshed_at
  FROM oauth_tokens AS token
  JOIN oauth_grants AS g ON g.id = grant_id AND g.revoked_at IS NULL
  JOIN users ON users.id = user_id AND users.state = 'active'
  LEFT JOIN oauth_applications AS application ON application.id = application_id
  WHERE token.revoked_at IS NULL AND refresh_hash = ? AND refresh_expires_at > ?;

SELECT grant_id, application_id, user_id FROM oauth_tokens JOIN oauth_grants AS g ON g.id = grant_id AND g.revoked_at IS NULL
  WHERE access_hash = ? OR refresh_hash = ?;

UPDATE oauth_tokens SET first_used_at = ? WHERE id = ? AND first_used_at IS NULL;

UPDATE oauth_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL;

UPDATE oauth_grants SET revoked_at = ?, expires_at = min(expires_at, ?) WHERE id = ? AND iif(revoked_at IS NULL, 'active', 'ended') IN ('active');

-- src-main/service/oauth/store/token-writer.ts

INSERT INTO oauth_grants (application_id, user_id, kind, scopes, created_at, expires_at)
  SELECT ?, id, ?, ?, ?, ? FROM users WHERE id = ? AND state = 'active' AND (CAST(? AS bigint) IS NULL OR EXISTS (SELECT 1 FROM oauth_applications WHERE id = ?)) RETURNING id;

INSERT INTO oauth_tokens (grant_id, access_hash, refresh_hash, scopes, created_at, expires_at, refresh_expires_at, previous_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?);
