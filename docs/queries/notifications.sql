-- src-main/service/notifications/store/deliveries-store.ts

SELECT o.*, m.owner_id, m.title AS measurement_title FROM outbox AS o LEFT JOIN measurements AS m ON m.id = o.measurement_id
  ORDER BY o.id LIMIT ?;

SELECT id FROM outbox ORDER BY id LIMIT 1;

INSERT INTO deliveries (rule_id, at, kind, subject, measurement_id, project_id, title)
  VALUES (@rule, @at, @kind, @subject, @measurement_id, @project_id, @title);

DELETE FROM outbox WHERE id = ?;

SELECT DISTINCT rule_id FROM deliveries WHERE state = 'waiting';

SELECT * FROM deliveries WHERE rule_id = ? AND state = 'waiting' ORDER BY id LIMIT ?;

SELECT count(*) FROM deliveries WHERE rule_id = ? AND state = 'waiting';

-- SQLite
SELECT rule_id, count(*) AS count FROM deliveries WHERE state = 'waiting' AND rule_id IN (SELECT value FROM json_each(?)) GROUP BY rule_id;
-- PostgreSQL
SELECT rule_id, count(*) AS count FROM deliveries WHERE state = 'waiting' AND rule_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint)) GROUP BY rule_id;

-- SQLite
UPDATE deliveries SET state = 'sent', attempts = attempts + 1, retry_at = NULL, message = NULL WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
UPDATE deliveries SET state = 'sent', attempts = attempts + 1, retry_at = NULL, message = NULL WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- SQLite
UPDATE deliveries SET attempts = attempts + 1, retry_at = ?, message = ? WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
UPDATE deliveries SET attempts = attempts + 1, retry_at = ?, message = ? WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- SQLite
UPDATE deliveries SET state = 'given-up', attempts = attempts + 1, retry_at = NULL, message = ? WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
UPDATE deliveries SET state = 'given-up', attempts = attempts + 1, retry_at = NULL, message = ? WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

SELECT * FROM deliveries WHERE rule_id = ? AND id < ? ORDER BY id DESC LIMIT ?;

DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE at < ? AND state <> 'waiting' LIMIT ?);

-- src-main/service/notifications/store/notification-rules-store.ts

SELECT r.* FROM notification_rules AS r JOIN users ON users.id = r.user_id WHERE users.state = 'active' ORDER BY r.id;

SELECT * FROM notification_rules WHERE user_id = ? ORDER BY lower(name);

SELECT * FROM notification_rules WHERE id = ?;

SELECT count(*) AS count FROM notification_rules WHERE user_id = ?;

INSERT INTO notification_rules (user_id, name, settings, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (user_id, lower(name)) DO NOTHING RETURNING *;

SELECT id FROM notification_rules WHERE user_id = ? AND lower(name) = lower(?) AND id <> ?;

UPDATE notification_rules SET name = ?, settings = ? WHERE id = ?;

UPDATE notification_rules SET secret = ?, old_secret = ?, rotated_at = ? WHERE id = ?;

DELETE FROM deliveries WHERE rule_id = ?;

DELETE FROM notification_rules WHERE id = ?;

UPDATE notification_rules SET last_sent_at = ?, failure = NULL WHERE id = ?;

UPDATE notification_rules SET failure = ? WHERE id = ?;

-- src-main/service/notifications/store/outbox.ts

INSERT INTO outbox (at, kind, subject, measurement_id, project_id, title)
  SELECT CAST(@now AS bigint), @kind, @subject, @measurement_id, CAST(@project_id AS bigint), @title
  WHERE EXISTS (SELECT 1 FROM notification_rules);
