-- src-main/service/audit/audit-list-store.ts

SELECT action FROM audit_events WHERE action >= ? AND action < ? ORDER BY action LIMIT 1;

-- src-main/service/audit/audit-retention-store.ts

SELECT max(at) FROM (SELECT at FROM audit_events WHERE id = (SELECT max(id) FROM audit_events)
  UNION ALL SELECT started_at FROM transfers WHERE id = (SELECT max(id) FROM transfers)) AS newest;

DELETE FROM user_agents WHERE used_at < ?;

SELECT coalesce((SELECT max(id) FROM transfers) - (SELECT min(id) FROM transfers) + 1, 0);

DELETE FROM transfers WHERE id IN (SELECT id FROM transfers ORDER BY id LIMIT ?);

SELECT id FROM transfers WHERE started_at < ? ORDER BY started_at LIMIT ?;

DELETE FROM transfers WHERE id IN (SELECT id FROM transfers WHERE started_at < ? ORDER BY started_at LIMIT ?);

SELECT coalesce((SELECT max(id) FROM downloads) - (SELECT min(id) FROM downloads) + 1, 0);

DELETE FROM downloads WHERE id IN (SELECT id FROM downloads ORDER BY id LIMIT ?);

SELECT id FROM downloads WHERE started_at < ? ORDER BY started_at LIMIT ?;

DELETE FROM downloads WHERE id IN (SELECT id FROM downloads WHERE started_at < ? ORDER BY started_at LIMIT ?);

SELECT coalesce((SELECT max(id) FROM audit_events) - (SELECT min(id) FROM audit_events) + 1, 0);

DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events ORDER BY id LIMIT ?);

SELECT id FROM (SELECT id, at FROM audit_events ORDER BY id LIMIT 1000) AS oldest WHERE at < ? LIMIT ?;

DELETE FROM audit_events WHERE id IN (SELECT id FROM (SELECT id, at FROM audit_events ORDER BY id LIMIT 1000) AS oldest WHERE at < ? LIMIT ?);

-- src-main/service/audit/audit-store.ts

INSERT INTO audit_events (at, user_id, action, subject, detail, application_id, address) VALUES (?, ?, ?, ?, ?, ?, ?);

-- src-main/service/audit/trail/audit-subjects-store.ts

SELECT username AS name, NULL AS owner, state = 'active' AS active FROM users WHERE id = @key;

SELECT token.name, username AS owner, revoked_at IS NULL AND ifnull(expires_at > @now, TRUE) AS active
  FROM personal_access_tokens AS token JOIN users ON users.id = user_id WHERE token.id = @key;

SELECT name, NULL AS owner, TRUE AS active FROM oauth_applications WHERE id = @key;

SELECT title AS name, NULL AS owner, TRUE AS active FROM measurements WHERE id = @key;

SELECT path AS name, NULL AS owner, TRUE AS active FROM projects WHERE id = @key AND substr(projects.path, 1, 1) <> '-';
