-- src-main/service/tokens/ending-tokens-store.ts

SELECT token.id, user_id, token.name, token.created_at, expires_at FROM personal_access_tokens AS token
  JOIN users ON users.id = user_id AND users.state = 'active'
  WHERE ifnull(expires_at, 9007199254740991) > ? AND ifnull(expires_at, 9007199254740991) <= ? AND revoked_at IS NULL
  ORDER BY ifnull(expires_at, 9007199254740991), token.id LIMIT ?;

-- src-main/service/tokens/token-list-store.ts

-- SQLite
SELECT id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at FROM personal_access_tokens WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at FROM personal_access_tokens WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

SELECT count(*) FROM (SELECT 1 FROM personal_access_tokens LIMIT 10001) AS counted;

-- src-main/service/tokens/tokens-store.ts

INSERT INTO personal_access_tokens (user_id, name, name_key, description, scopes, token_hash, created_at, expires_at, family_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at;

UPDATE personal_access_tokens SET family_id = id WHERE id = ?;

UPDATE personal_access_tokens SET revoked_at = @now, rotated_at = @now WHERE id = @id AND revoked_at IS NULL RETURNING id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at;

SELECT token.id, token.scopes, token.expires_at, user_id, username, is_admin
  FROM personal_access_tokens AS token JOIN users ON users.id = user_id AND users.state = 'active'
  WHERE token_hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?);

SELECT id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at FROM personal_access_tokens WHERE id = ?;

SELECT id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at FROM personal_access_tokens WHERE token_hash = ?;

SELECT id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at FROM personal_access_tokens WHERE user_id = ? ORDER BY id DESC;

SELECT id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at FROM personal_access_tokens ORDER BY id DESC;

UPDATE personal_access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL;

UPDATE personal_access_tokens SET revoked_at = ? WHERE family_id = ? AND revoked_at IS NULL;

-- SQLite
SELECT id, coalesce(last_used_at, 0) AS at, last_used_address AS addresses FROM personal_access_tokens WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id;
-- PostgreSQL
SELECT id, coalesce(last_used_at, 0) AS at, last_used_address AS addresses FROM personal_access_tokens WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint)) ORDER BY id FOR NO KEY UPDATE;

-- SQLite
UPDATE personal_access_tokens SET last_used_at = max(ifnull(last_used_at, 0), @at), last_used_address = @addresses WHERE id = @id;
-- PostgreSQL
UPDATE personal_access_tokens SET last_used_at = greatest(last_used_at, x.at), last_used_address = x.addresses
  FROM json_to_recordset(CAST(@rows AS json)) AS x (id bigint, at bigint, addresses text) WHERE personal_access_tokens.id = x.id;
