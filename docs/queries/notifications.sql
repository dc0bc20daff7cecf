-- src-main/service/notifications/store/conditions-store.ts

SELECT subject FROM conditions WHERE kind = ?;

SELECT subject, mark, lasted_ms, is_told FROM conditions WHERE kind = ?;

UPDATE conditions SET lasted_ms = lasted_ms + ? WHERE kind = ? AND is_told = 0;

INSERT INTO conditions (kind, subject, mark, lasted_ms, is_told) VALUES (?, ?, ?, 0, 0)
  ON CONFLICT (kind, subject) DO UPDATE SET mark = excluded.mark, lasted_ms = 0, is_told = 0;

-- SQLite
UPDATE conditions SET is_told = 1 WHERE kind = ? AND subject IN (SELECT value FROM json_each(?));
-- PostgreSQL
UPDATE conditions SET is_told = 1 WHERE kind = ? AND subject = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))));

-- SQLite
DELETE FROM conditions WHERE kind = ? AND subject IN (SELECT value FROM json_each(?));
-- PostgreSQL
DELETE FROM conditions WHERE kind = ? AND subject = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))));

-- src-main/service/notifications/store/deliveries-store.ts

SELECT o.*, m.owner_id, m.title AS measurement_title FROM outbox AS o LEFT JOIN measurements AS m ON m.id = o.measurement_id
  ORDER BY o.id LIMIT ?;

-- SQLite
SELECT measurement_id, project_id FROM grants
  WHERE measurement_id IN (SELECT value FROM json_each(@ids)) AND project_id IS NOT NULL AND (until IS NULL OR until > @now);
-- PostgreSQL
SELECT measurement_id, project_id FROM grants
  WHERE measurement_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb)))) AND project_id IS NOT NULL AND (until IS NULL OR until > @now);

SELECT id FROM outbox ORDER BY id LIMIT 1;

INSERT INTO deliveries (rule_id, at, kind, subject, measurement_id, project_id, title)
  VALUES (@rule, @at, @kind, @subject, @measurement_id, @project_id, @title);

-- SQLite
DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

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

-- src-main/service/notifications/store/error-rates-store.ts

-- SQLite
SELECT projects.id, projects.name FROM projects CROSS JOIN ingest_counts AS c ON c.project_id = projects.id
  WHERE c.hour IN (@before, @hour) AND substr(outcome, 1, 5) <> 'item:' AND substr(projects.path, 1, 1) <> '-'
  GROUP BY projects.id, projects.name HAVING sum(c.count) >= @least ORDER BY projects.id;
-- PostgreSQL
SELECT projects.id, projects.name FROM projects JOIN ingest_counts AS c ON c.project_id = projects.id
  WHERE c.hour IN (@before, @hour) AND substr(outcome, 1, 5) <> 'item:' AND substr(projects.path, 1, 1) <> '-'
  GROUP BY projects.id, projects.name HAVING sum(c.count) >= @least ORDER BY projects.id;

SELECT hour, CAST(sum(count) AS bigint) AS count FROM ingest_counts WHERE project_id = ? AND hour >= ? AND substr(outcome, 1, 5) <> 'item:'
  GROUP BY hour;

SELECT id, type, value FROM errors WHERE project_id = ? AND status = 'unresolved' AND last_seen >= ? AND events >= ?
  ORDER BY last_seen DESC, id LIMIT 100;

SELECT hour, CAST(sum(h.events) AS bigint) AS count FROM error_groups AS g JOIN error_hours AS h ON h.group_id = g.id
  WHERE g.error_id = ? AND h.hour >= ? GROUP BY hour;

-- src-main/service/notifications/store/happenings-store.ts

-- SQLite
INSERT INTO happenings (at, kind, subject, measurement_id, project_id, user_id, title) SELECT @at, @kind, @subject, @measurement_id, @project_id, @user_id, @title
  WHERE (@user_id IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = @user_id))
  AND (@project_id IS NULL OR EXISTS (SELECT 1 FROM projects WHERE projects.id = @project_id));
-- PostgreSQL
INSERT INTO happenings (at, kind, subject, measurement_id, project_id, user_id, title) SELECT at, kind, subject, measurement_id, project_id, user_id, title
  FROM json_to_recordset(CAST(@rows AS json)) AS x (at bigint, kind text, subject text, measurement_id text, project_id bigint, user_id bigint, title text)
  WHERE (x.user_id IS NULL OR EXISTS (SELECT 1 FROM users WHERE users.id = x.user_id))
  AND (x.project_id IS NULL OR EXISTS (SELECT 1 FROM projects WHERE projects.id = x.project_id));

SELECT h.*, projects.path AS project_path FROM (SELECT * FROM (SELECT * FROM happenings WHERE user_id = @user AND id > @after AND id < @before
  ORDER BY id DESC LIMIT @limit) AS audience_0 UNION ALL SELECT * FROM (SELECT * FROM happenings WHERE user_id IS NULL AND project_id IN (SELECT project_id FROM project_members WHERE user_id = @user) AND id > @after AND id < @before
  ORDER BY id DESC LIMIT @limit) AS audience_1 UNION ALL SELECT * FROM (SELECT * FROM happenings WHERE user_id IS NULL AND project_id IS NULL AND @isAdmin = 1 AND id > @after AND id < @before
  ORDER BY id DESC LIMIT @limit) AS audience_2) AS h LEFT JOIN projects ON projects.id = h.project_id
  ORDER BY h.id DESC LIMIT @limit;

SELECT count(*) FROM (SELECT id FROM (SELECT * FROM (SELECT * FROM happenings WHERE user_id = @user AND id > @after AND id < @before
  AND kind NOT IN ('run-registered', 'copy-verified') ORDER BY id DESC LIMIT @limit) AS audience_0 UNION ALL SELECT * FROM (SELECT * FROM happenings WHERE user_id IS NULL AND project_id IN (SELECT project_id FROM project_members WHERE user_id = @user) AND id > @after AND id < @before
  AND kind NOT IN ('run-registered', 'copy-verified') ORDER BY id DESC LIMIT @limit) AS audience_1 UNION ALL SELECT * FROM (SELECT * FROM happenings WHERE user_id IS NULL AND project_id IS NULL AND @isAdmin = 1 AND id > @after AND id < @before
  AND kind NOT IN ('run-registered', 'copy-verified') ORDER BY id DESC LIMIT @limit) AS audience_2) AS h LIMIT @limit) AS counted;

SELECT count(*) FROM (SELECT DISTINCT errors.id FROM happenings AS h
  JOIN errors ON errors.id = CASE WHEN h.kind IN ('error-new', 'error-regressed') THEN CAST(substr(h.subject, 7) AS bigint) END
  WHERE h.kind IN ('error-new', 'error-regressed') AND h.id > @after AND h.user_id IS NULL AND errors.status = 'unresolved'
  AND h.project_id IN (SELECT project_id FROM project_members WHERE project_members.user_id = @user)
  LIMIT @limit) AS counted;

SELECT last_id, last_error_id FROM happenings_seen WHERE user_id = ?;

INSERT INTO happenings_seen (user_id, last_id, last_error_id, seen_at)
  VALUES (@user, CASE WHEN @last_id < (SELECT ifnull(max(id), 0) FROM happenings) THEN @last_id ELSE (SELECT ifnull(max(id), 0) FROM happenings) END, CASE WHEN @last_error_id < (SELECT ifnull(max(id), 0) FROM happenings) THEN @last_error_id ELSE (SELECT ifnull(max(id), 0) FROM happenings) END, @now)
  ON CONFLICT (user_id) DO UPDATE SET last_id = CASE WHEN excluded.last_id > happenings_seen.last_id THEN excluded.last_id ELSE happenings_seen.last_id END, last_error_id = CASE WHEN excluded.last_error_id > happenings_seen.last_error_id THEN excluded.last_error_id ELSE happenings_seen.last_error_id END, seen_at = excluded.seen_at;

DELETE FROM happenings WHERE id IN (SELECT id FROM happenings WHERE at < ? ORDER BY at LIMIT ?);

SELECT kind FROM happenings GROUP BY kind HAVING count(*) > ?;

DELETE FROM happenings WHERE id IN (SELECT id FROM happenings WHERE kind = @kind
  AND id <= (SELECT id FROM happenings WHERE kind = @kind ORDER BY id DESC LIMIT 1 OFFSET @most) ORDER BY id LIMIT @limit);

-- src-main/service/notifications/store/notification-rules-store.ts

SELECT r.* FROM notification_rules AS r LEFT JOIN users ON users.id = r.user_id
  WHERE r.user_id IS NULL OR users.state = 'active' ORDER BY r.id;

SELECT * FROM notification_rules WHERE user_id = ? ORDER BY lower(name);

SELECT * FROM notification_rules WHERE project_id = ? ORDER BY lower(name);

SELECT * FROM notification_rules WHERE id = ?;

INSERT INTO notification_rules (user_id, project_id, name, settings, created_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING RETURNING *;

UPDATE notification_rules SET name = ?, settings = ? WHERE id = ?;

UPDATE notification_rules SET secret = ?, old_secret = ?, rotated_at = ? WHERE id = ?;

DELETE FROM deliveries WHERE rule_id = ?;

DELETE FROM notification_rules WHERE id = ?;

UPDATE notification_rules SET last_sent_at = ?, failure = NULL WHERE id = ?;

UPDATE notification_rules SET failure = ? WHERE id = ?;

-- src-main/service/notifications/store/outbox.ts

INSERT INTO outbox (at, kind, subject, measurement_id, project_id, user_id, title)
  VALUES (@now, @kind, @subject, @measurement_id, @project_id, @user_id, @title);
