-- src-main/service/accounts/store/known-places-store.ts

SELECT seen_at FROM known_places WHERE user_id = ? AND place = ?;

INSERT INTO known_places (user_id, place, seen_at) VALUES (?, ?, ?)
  ON CONFLICT (user_id, place) DO UPDATE SET seen_at = excluded.seen_at;

DELETE FROM known_places WHERE user_id = ? AND seen_at <= ?;

-- SQLite
DELETE FROM known_places WHERE user_id = @user AND place IN (SELECT place FROM known_places WHERE user_id = @user ORDER BY seen_at DESC LIMIT -1 OFFSET @most);
-- PostgreSQL
DELETE FROM known_places WHERE user_id = @user AND place IN (SELECT place FROM known_places WHERE user_id = @user ORDER BY seen_at DESC LIMIT ALL OFFSET @most);

DELETE FROM known_places WHERE place = @after AND user_id IN (SELECT user_id FROM known_places WHERE place = @before);

UPDATE known_places SET place = @after WHERE place = @before;

DELETE FROM known_places WHERE user_id = ?;

-- src-main/service/accounts/store/managed-user-list.ts

-- SQLite
SELECT * FROM users WHERE username IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT * FROM users WHERE lower(username) = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))));

-- SQLite
SELECT username FROM users WHERE username IN (SELECT value FROM json_each(@names))
  AND (username LIKE @pattern ESCAPE '\' OR (name LIKE @pattern ESCAPE '\' OR (@pattern GLOB '*[^ -~]*' AND folded(substr(name, 1, 500)) LIKE folded(@pattern) ESCAPE '\')) OR email_key LIKE @emailPattern ESCAPE '\');
-- PostgreSQL
SELECT lower(username) FROM users WHERE lower(username) = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@names AS jsonb))))
  AND (username ILIKE @pattern ESCAPE '\' OR (name ILIKE @pattern ESCAPE '\' OR (@pattern ~ '[^ -~]' AND folded(substr(name, 1, 500)) LIKE folded(@pattern) ESCAPE '\')) OR email_key ILIKE @emailPattern ESCAPE '\');

-- SQLite
SELECT count(*) FROM (SELECT 1 FROM users WHERE state IN (SELECT value FROM json_each(?)) LIMIT 10001) AS counted;
-- PostgreSQL
SELECT count(*) FROM (SELECT 1 FROM users WHERE state = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb)))) LIMIT 10001) AS counted;

-- src-main/service/accounts/store/recovery-codes-store.ts

DELETE FROM recovery_codes WHERE user_id = ?;

INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?);

UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL;

SELECT count(*) FROM recovery_codes WHERE user_id = ? AND used_at IS NULL;

-- src-main/service/accounts/store/second-factors-store.ts

SELECT user_id FROM totp_keys WHERE user_id = @userId AND confirmed_at IS NOT NULL
  UNION ALL SELECT user_id FROM webauthn_keys WHERE user_id = @userId LIMIT 1;

SELECT user_id FROM totp_keys WHERE confirmed_at IS NOT NULL UNION SELECT user_id FROM webauthn_keys;

DELETE FROM recovery_codes WHERE user_id = ?;

DELETE FROM totp_keys WHERE user_id = ?;

DELETE FROM webauthn_keys WHERE user_id = ?;

-- src-main/service/accounts/store/sessions-store.ts

INSERT INTO sessions (user_id, token_hash, created_at, expires_at, last_used_at, address, user_agent, confirmed_at, factor_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

SELECT sessions.* FROM sessions JOIN users ON users.id = user_id AND users.state = 'active' WHERE token_hash = ? AND expires_at > ?;

UPDATE sessions SET last_used_at = ? WHERE id = ?;

SELECT * FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY last_used_at DESC, id DESC;

UPDATE sessions SET confirmed_at = ? WHERE id = ?;

UPDATE sessions SET factor_at = ? WHERE id = ?;

UPDATE sessions SET token_hash = ?, confirmed_at = ? WHERE id = ?;

DELETE FROM sessions WHERE token_hash = ?;

DELETE FROM sessions WHERE id = ? AND user_id = ?;

DELETE FROM sessions WHERE user_id = ? AND id <> ?;

DELETE FROM sessions WHERE expires_at <= ?;

-- src-main/service/accounts/store/sign-in-failures-store.ts

SELECT locked_until FROM sign_in_failures WHERE user_id = ? AND place = ?;

SELECT locked_until FROM users WHERE id = ?;

INSERT INTO sign_in_failures (user_id, place, failures, failed_at) VALUES (?, ?, 1, ?)
  ON CONFLICT (user_id, place) DO UPDATE SET failures = sign_in_failures.failures + 1, failed_at = excluded.failed_at, locked_until = NULL RETURNING failures;

UPDATE sign_in_failures SET failures = 0, locked_until = ? WHERE user_id = ? AND place = ?;

UPDATE users SET failed_sign_ins = iif(failures_since > @begun, failed_sign_ins + 1, 1), failures_since = iif(failures_since > @begun, failures_since, @now)
  WHERE id = @id RETURNING failed_sign_ins;

UPDATE users SET failed_sign_ins = 0, failures_since = NULL, locked_until = ? WHERE id = ?;

DELETE FROM sign_in_failures WHERE user_id = ? AND failed_at <= ? AND coalesce(locked_until, 0) <= ?;

DELETE FROM sign_in_failures WHERE user_id = ? AND place = ?;

UPDATE users SET failed_sign_ins = 0, failures_since = NULL, locked_until = NULL WHERE id = ?;

DELETE FROM sign_in_failures WHERE user_id = ?;

SELECT user_id AS id, max(locked_until) AS until, 0 AS everywhere FROM sign_in_failures WHERE locked_until > @now GROUP BY user_id
  UNION ALL SELECT id, locked_until, 1 FROM users WHERE locked_until > @now;

-- src-main/service/accounts/store/sign-in-places-store.ts

SELECT 1 FROM sign_in_places WHERE user_id = ? LIMIT 1;

SELECT seen_at FROM sign_in_places WHERE user_id = ? AND place = ?;

INSERT INTO sign_in_places (user_id, place, seen_at) VALUES (?, ?, ?)
  ON CONFLICT (user_id, place) DO UPDATE SET seen_at = excluded.seen_at;

DELETE FROM sign_in_places WHERE user_id = ? AND seen_at <= ?;

-- SQLite
DELETE FROM sign_in_places WHERE user_id = @user AND place IN
  (SELECT place FROM sign_in_places WHERE user_id = @user ORDER BY seen_at DESC LIMIT -1 OFFSET @most);
-- PostgreSQL
DELETE FROM sign_in_places WHERE user_id = @user AND place IN
  (SELECT place FROM sign_in_places WHERE user_id = @user ORDER BY seen_at DESC LIMIT ALL OFFSET @most);

-- src-main/service/accounts/store/totp-keys-store.ts

SELECT user_id, sealed_key, confirmed_at FROM totp_keys WHERE user_id = ?;

INSERT INTO totp_keys (user_id, sealed_key, created_at) VALUES (?, ?, ?)
  ON CONFLICT (user_id) DO UPDATE SET sealed_key = excluded.sealed_key, created_at = excluded.created_at, last_step = 0
  WHERE totp_keys.confirmed_at IS NULL;

UPDATE totp_keys SET confirmed_at = ?, last_step = ? WHERE user_id = ? AND confirmed_at IS NULL;

UPDATE totp_keys SET last_step = ? WHERE user_id = ? AND confirmed_at IS NOT NULL AND last_step < ?;

DELETE FROM totp_keys WHERE user_id = ?;

-- src-main/service/accounts/store/user-list-store.ts

-- SQLite
SELECT username AS "key", username AS id FROM users
  WHERE username > ? ORDER BY username LIMIT ?;
-- PostgreSQL
SELECT lower(username) AS "key", lower(username) AS id FROM users
  WHERE lower(username) > ? ORDER BY lower(username) LIMIT ?;

-- SQLite
SELECT * FROM users WHERE username IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT * FROM users WHERE lower(username) = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))));

-- src-main/service/accounts/store/users-store.ts

INSERT INTO users (username, name, email, email_key, password_hash, is_admin, created_at)
  SELECT @username, @name, @email, @emailKey, @passwordHash, @isAdmin, @now WHERE NOT EXISTS (SELECT 1 FROM users WHERE email_key = @emailKey)
  ON CONFLICT DO NOTHING RETURNING *;

INSERT INTO users (username, name, email, email_key, password_hash, is_admin, created_at)
  SELECT @username, @name, @email, @emailKey, @passwordHash, @isAdmin, @now WHERE NOT EXISTS (SELECT 1 FROM users )
  ON CONFLICT DO NOTHING RETURNING *;

SELECT * FROM users WHERE id = ?;

SELECT * FROM users WHERE email_key = ?;

-- SQLite
SELECT * FROM users WHERE username = ?;
-- PostgreSQL
SELECT * FROM users WHERE lower(username) = lower(?);

-- SQLite
SELECT id FROM users WHERE email_key = ? AND id IS NOT ?;
-- PostgreSQL
SELECT id FROM users WHERE email_key = ? AND id IS DISTINCT FROM ?;

-- SQLite
SELECT * FROM users ORDER BY username;
-- PostgreSQL
SELECT * FROM users ORDER BY lower(username);

SELECT * FROM users WHERE is_admin = 1 AND state = 'active' ORDER BY id LIMIT 1;

SELECT id FROM users LIMIT 1;

UPDATE users SET state = ? WHERE id = ? AND (? = 'active' OR (is_admin = 0 OR state <> 'active' OR EXISTS
  (SELECT 1 FROM users AS other WHERE other.is_admin = 1 AND other.state = 'active' AND other.id <> users.id)));

UPDATE users SET is_admin = ? WHERE id = ? AND (? = 1 OR (is_admin = 0 OR state <> 'active' OR EXISTS
  (SELECT 1 FROM users AS other WHERE other.is_admin = 1 AND other.state = 'active' AND other.id <> users.id)));

-- SQLite
UPDATE users SET name = @name, email = @email, email_key = @emailKey WHERE id = @id
  AND (email_key IS @emailKey OR NOT EXISTS (SELECT 1 FROM users AS other WHERE other.email_key = @emailKey AND other.id <> @id))
  AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.email = @email AND other.id <> @id);
-- PostgreSQL
UPDATE users SET name = @name, email = @email, email_key = @emailKey WHERE id = @id
  AND (email_key IS NOT DISTINCT FROM @emailKey OR NOT EXISTS (SELECT 1 FROM users AS other WHERE other.email_key = @emailKey AND other.id <> @id))
  AND NOT EXISTS (SELECT 1 FROM users AS other WHERE lower(other.email) = lower(@email) AND other.id <> @id);

DELETE FROM users WHERE id = ? AND (is_admin = 0 OR state <> 'active' OR EXISTS
  (SELECT 1 FROM users AS other WHERE other.is_admin = 1 AND other.state = 'active' AND other.id <> users.id));

SELECT ifnull((SELECT measurement_id || ' (removed, but not for good)' FROM removed_measurements WHERE kept_id = measurements.id), id)
  FROM measurements WHERE owner_id = ? ORDER BY substr(id, 1, 1) = '-', id LIMIT ?;

UPDATE users SET password_hash = ?, password_changed_at = ? WHERE id = ?;

UPDATE users SET last_sign_in_at = current_sign_in_at, current_sign_in_at = ? WHERE id = ?;

-- src-main/service/accounts/store/webauthn-keys-store.ts

SELECT * FROM webauthn_keys WHERE user_id = ? ORDER BY id;

INSERT INTO webauthn_keys (user_id, name, credential_id, public_key, counter, transports, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (credential_id) DO NOTHING RETURNING *;

UPDATE webauthn_keys SET counter = ?, last_used_at = ? WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0));

DELETE FROM webauthn_keys WHERE id = ? AND user_id = ? RETURNING *;
