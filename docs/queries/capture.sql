-- src-main/service/capture/store/capture-list-store.ts

-- SQLite
SELECT r.*, capture_rules.name AS rule_name FROM capture_runs AS r JOIN capture_rules ON capture_rules.id = rule_id
  WHERE (@ruleId = 0 OR rule_id = @ruleId) AND r.state IN (SELECT value FROM json_each(@states))
  AND (@search = '' OR r.name LIKE @search ESCAPE '\' OR ifnull(r.measurement_id, '') LIKE @search ESCAPE '\') ORDER BY r.id DESC LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT r.*, capture_rules.name AS rule_name FROM capture_runs AS r JOIN capture_rules ON capture_rules.id = rule_id
  WHERE (@ruleId = 0 OR rule_id = @ruleId) AND r.state = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@states AS jsonb))))
  AND (@search = '' OR r.name ILIKE @search ESCAPE '\' OR ifnull(r.measurement_id, '') ILIKE @search ESCAPE '\') ORDER BY r.id DESC LIMIT @limit OFFSET @offset;

-- SQLite
SELECT count(*) FROM capture_runs AS r WHERE (@ruleId = 0 OR rule_id = @ruleId) AND r.state IN (SELECT value FROM json_each(@states))
  AND (@search = '' OR r.name LIKE @search ESCAPE '\' OR ifnull(r.measurement_id, '') LIKE @search ESCAPE '\');
-- PostgreSQL
SELECT count(*) FROM capture_runs AS r WHERE (@ruleId = 0 OR rule_id = @ruleId) AND r.state = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@states AS jsonb))))
  AND (@search = '' OR r.name ILIKE @search ESCAPE '\' OR ifnull(r.measurement_id, '') ILIKE @search ESCAPE '\');

SELECT rule_id, state, count(*) AS count FROM capture_runs GROUP BY rule_id, state;

SELECT at, state, reason, message FROM capture_history WHERE run_id = ? ORDER BY id DESC LIMIT 100;

-- src-main/service/capture/store/capture-rules-store.ts

SELECT * FROM capture_rules ORDER BY lower(name);

SELECT * FROM capture_rules WHERE id = ?;

SELECT * FROM capture_rules WHERE lower(name) = lower(?);

INSERT INTO capture_rules (name, folder, settings, state, since, created_at) VALUES (?, ?, ?, 'starting', ?, ?)
  ON CONFLICT (lower(name)) DO NOTHING RETURNING *;

SELECT id FROM capture_rules WHERE lower(name) = lower(?) AND id <> ?;

UPDATE capture_rules SET name = ?, folder = ?, settings = ?,
  -- A folder that was replaced is accepted by saving its rule.
  is_begun = CASE WHEN CAST(? AS INTEGER) = 1 THEN 0 ELSE is_begun END, root = NULL
  WHERE id = ? RETURNING *;

DELETE FROM capture_history WHERE run_id IN (SELECT id FROM capture_runs WHERE rule_id = ?);

DELETE FROM capture_runs WHERE rule_id = ?;

DELETE FROM capture_rules WHERE id = ?;

UPDATE capture_rules SET since = CASE WHEN state = @state THEN since ELSE @now END, state = @state, message = @message
  WHERE id = @id AND (state <> @state OR ifnull(message, '') <> ifnull(@message, ''))
  AND (state <> 'paused' OR @state = 'starting');

UPDATE capture_rules SET looked_at = ?, look_every_ms = ? WHERE id = ?;

UPDATE capture_rules SET root = ? WHERE id = ?;

UPDATE capture_rules SET is_begun = 1 WHERE id = ?;

-- src-main/service/capture/store/capture-runs-store.ts

SELECT * FROM capture_runs WHERE id = ?;

-- SQLite
SELECT * FROM capture_runs AS r WHERE rule_id = ? AND name IN (SELECT value FROM json_each(?))
  AND generation = (SELECT max(generation) FROM capture_runs WHERE rule_id = r.rule_id AND name = r.name);
-- PostgreSQL
SELECT * FROM capture_runs AS r WHERE rule_id = ? AND name = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))))
  AND generation = (SELECT max(generation) FROM capture_runs WHERE rule_id = r.rule_id AND name = r.name);

-- SQLite
SELECT * FROM capture_runs WHERE rule_id = ? AND state IN (SELECT value FROM json_each(?)) AND id > ? ORDER BY id LIMIT ?;
-- PostgreSQL
SELECT * FROM capture_runs WHERE rule_id = ? AND state = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb)))) AND id > ? ORDER BY id LIMIT ?;

SELECT * FROM capture_runs WHERE rule_id = ? AND id > ? AND state <> 'gone' AND missing_since IS NULL ORDER BY id LIMIT ?;

SELECT * FROM capture_runs WHERE rule_id = ? AND missing_since IS NOT NULL ORDER BY missing_since DESC, id DESC LIMIT ?;

INSERT INTO capture_runs (rule_id, name, generation, state, reason, inode, first_seen_at, changed_at)
  VALUES (@ruleId, @name, @generation, @state, @reason, @inode, @now, @now)
  ON CONFLICT (rule_id, name, generation) DO NOTHING;

UPDATE capture_runs SET inode = @inode, activity = @activity, signature = @signature, file_count = @file_count,
  total_bytes = @total_bytes, changed_at = @changed_at, ready_at = @ready_at, longest_gap_ms = @longest_gap_ms
  WHERE id = @id;

UPDATE capture_runs SET reason = @reason, message = @message WHERE id = @id
  AND (ifnull(reason, '') <> ifnull(@reason, '') OR ifnull(message, '') <> ifnull(@message, ''));

INSERT INTO capture_history (run_id, at, state, reason, message)
  SELECT id, ?, state, reason, message FROM capture_runs WHERE id = ?;

DELETE FROM capture_history WHERE run_id = ? AND id NOT IN
  (SELECT id FROM capture_history WHERE run_id = ? ORDER BY id DESC LIMIT 100);

UPDATE capture_runs SET missing_since = ? WHERE id = ?;

UPDATE capture_runs SET name = ?, missing_since = NULL, generation =
  1 + ifnull((SELECT max(generation) FROM capture_runs AS o WHERE o.rule_id = capture_runs.rule_id AND o.id <> ?
  AND o.name = ?), 0)
  WHERE id = ?;

UPDATE capture_runs SET inode = ? WHERE id = ?;

UPDATE capture_runs SET wanted_id = @wantedId, leaves_out = @leavesOut, is_forced = @isForced WHERE id = @id;

UPDATE capture_runs SET measurement_id = ?, registered_signature = ?, plan = NULL WHERE id = ?;

UPDATE capture_runs SET measurement_id = @measurementId, registered_signature = @signature, plan = @plan WHERE id = @id;

SELECT r.id FROM capture_runs AS r JOIN copies AS c ON c.measurement_id = r.measurement_id
  WHERE r.rule_id = ? AND r.state = 'registered' AND c.state = 'verified' AND c.base_url = ? LIMIT 500;

SELECT id FROM capture_runs WHERE rule_id = ? AND state IN ('registered', 'pushed')
  AND measurement_id IS NOT NULL AND measurement_id NOT IN (SELECT id FROM measurements) LIMIT 500;

SELECT r.id FROM capture_runs AS r JOIN measurements AS m ON m.id = r.measurement_id
  WHERE r.rule_id = ? AND r.state = 'skipped' AND r.reason = 'measurement-removed' AND m.state <> 'registering'
  AND m.registered_at <= (SELECT max(at) FROM capture_history WHERE run_id = r.id AND state = 'skipped') LIMIT 500;

SELECT id FROM capture_runs WHERE state = 'gone' AND changed_at < ? ORDER BY id LIMIT 200;

DELETE FROM capture_history WHERE run_id = ?;

DELETE FROM capture_runs WHERE id = ?;

UPDATE capture_runs SET state = CASE state WHEN 'quiet' THEN 'hashing' END, reason = @reason, message = @message WHERE id = @id AND state IN ('quiet');

UPDATE capture_runs SET state = CASE state WHEN 'hashing' THEN 'registered' END, reason = @reason, message = @message, wanted_id = NULL, leaves_out = 0, is_forced = 0 WHERE id = @id AND state IN ('hashing');

UPDATE capture_runs SET state = CASE state WHEN 'hashing' THEN 'growing' END, reason = @reason, message = @message WHERE id = @id AND state IN ('hashing');

UPDATE capture_runs SET state = CASE state WHEN 'seen' THEN 'needs-you' WHEN 'growing' THEN 'needs-you' WHEN 'quiet' THEN 'needs-you' WHEN 'hashing' THEN 'needs-you' END, reason = @reason, message = @message WHERE id = @id AND state IN ('seen', 'growing', 'quiet', 'hashing');

UPDATE capture_runs SET state = CASE state WHEN 'registered' THEN 'pushed' END, reason = @reason, message = @message WHERE id = @id AND state IN ('registered');

UPDATE capture_runs SET state = CASE state WHEN 'seen' THEN 'gone' WHEN 'growing' THEN 'gone' WHEN 'quiet' THEN 'gone' WHEN 'hashing' THEN 'gone' WHEN 'needs-you' THEN 'gone' WHEN 'skipped' THEN 'gone' END, reason = @reason, message = @message WHERE id = @id AND state IN ('seen', 'growing', 'quiet', 'hashing', 'needs-you', 'skipped');

UPDATE capture_runs SET state = CASE state WHEN 'gone' THEN 'growing' END, reason = @reason, message = @message WHERE id = @id AND state IN ('gone');

UPDATE capture_runs SET state = CASE state WHEN 'hashing' THEN 'skipped' WHEN 'registered' THEN 'skipped' WHEN 'pushed' THEN 'skipped' WHEN 'changed-after' THEN 'skipped' END, reason = @reason, message = @message WHERE id = @id AND state IN ('hashing', 'registered', 'pushed', 'changed-after');

UPDATE capture_runs SET state = CASE state WHEN 'skipped' THEN 'registered' END, reason = @reason, message = @message WHERE id = @id AND state IN ('skipped');

UPDATE capture_runs SET state = CASE state WHEN 'seen' THEN 'skipped' WHEN 'growing' THEN 'skipped' WHEN 'quiet' THEN 'skipped' WHEN 'hashing' THEN 'skipped' WHEN 'needs-you' THEN 'skipped' END, reason = @reason, message = @message, wanted_id = NULL, leaves_out = 0, is_forced = 0 WHERE id = @id AND state IN ('seen', 'growing', 'quiet', 'hashing', 'needs-you');

UPDATE capture_runs SET state = CASE state WHEN 'needs-you' THEN 'growing' WHEN 'changed-after' THEN 'growing' WHEN 'skipped' THEN 'growing' END, reason = @reason, message = @message WHERE id = @id AND state IN ('needs-you', 'changed-after', 'skipped');

UPDATE capture_runs SET state = CASE state WHEN 'changed-after' THEN 'registered' END, reason = @reason, message = @message WHERE id = @id AND state IN ('changed-after');

UPDATE capture_runs SET state = CASE state WHEN 'seen' THEN 'growing' WHEN 'quiet' THEN 'growing' WHEN 'registered' THEN 'changed-after' WHEN 'pushed' THEN 'changed-after' WHEN 'needs-you' THEN 'growing' END, reason = @reason, message = @message WHERE id = @id AND state IN ('seen', 'quiet', 'registered', 'pushed', 'needs-you');

UPDATE capture_runs SET state = CASE state WHEN 'seen' THEN 'quiet' WHEN 'growing' THEN 'quiet' END, reason = @reason, message = @message WHERE id = @id AND state IN ('seen', 'growing');

-- src-main/service/capture/store/tell-of-run.ts

SELECT settings FROM capture_rules WHERE id = ?;

-- SQLite
SELECT id FROM projects WHERE path = ?;
-- PostgreSQL
SELECT id FROM projects WHERE lower(path) = lower(?);

-- SQLite
SELECT id, is_admin FROM users WHERE state = 'active'
  AND (username IN (SELECT value FROM json_each(@names)) OR email_key IN (SELECT value FROM json_each(@keys)));
-- PostgreSQL
SELECT id, is_admin FROM users WHERE state = 'active'
  AND (lower(username) = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@names AS jsonb)))) OR email_key = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@keys AS jsonb)))));
