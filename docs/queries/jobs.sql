-- src-main/service/jobs/jobs-store.ts

INSERT INTO jobs (kind, measurement_id, user_id, parameters, state, created_at) VALUES (?, ?, ?, ?, 'queued', ?) RETURNING *;

SELECT * FROM jobs WHERE id = ?;

SELECT * FROM jobs WHERE measurement_id = ? ORDER BY id;

-- SQLite
SELECT * FROM jobs WHERE state IN (SELECT value FROM json_each(?)) ORDER BY id;
-- PostgreSQL
SELECT * FROM jobs WHERE state = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb)))) ORDER BY id;

-- SQLite
UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'running' END, started_at = ifnull(started_at, @now),
  parameters = json_set(json_remove(parameters, '$.needs_room'), '$.process', @process)
  WHERE id = @id AND state IN ('queued') RETURNING *;
-- PostgreSQL
UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'running' END, started_at = ifnull(started_at, @now),
  parameters = CAST(CAST(parameters AS jsonb) - 'needs_room' || jsonb_build_object('process', CAST(@process AS text)) AS text)
  WHERE id = @id AND state IN ('queued') RETURNING *;

UPDATE jobs SET files_done = ?, files_total = ?, bytes_done = ?, bytes_total = ?, message = ? WHERE id = ? AND state = 'running';

UPDATE jobs SET parameters = ? WHERE id = ?;

DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE ended_at < ? LIMIT ?);

SELECT * FROM jobs WHERE (CAST(? AS bigint) IS NULL OR user_id = ?) AND state IN ('queued', 'running', 'paused') ORDER BY id DESC LIMIT 100;

SELECT * FROM jobs WHERE (CAST(? AS bigint) IS NULL OR user_id = ?) AND state NOT IN ('queued', 'running', 'paused') ORDER BY id DESC LIMIT 100;

SELECT * FROM jobs WHERE (CAST(? AS bigint) IS NULL OR user_id = ?) AND TRUE ORDER BY id DESC LIMIT 100;

UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'paused' WHEN 'running' THEN 'paused' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'queued' THEN 'paused' WHEN 'running' THEN 'paused' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('queued', 'running');

UPDATE jobs SET state = CASE state WHEN 'paused' THEN 'queued' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'paused' THEN 'queued' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('paused');

UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'cancelled' WHEN 'running' THEN 'cancelled' WHEN 'paused' THEN 'cancelled' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'queued' THEN 'cancelled' WHEN 'running' THEN 'cancelled' WHEN 'paused' THEN 'cancelled' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('queued', 'running', 'paused');

UPDATE jobs SET state = CASE state WHEN 'failed' THEN 'cancelled' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'failed' THEN 'cancelled' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('failed');

UPDATE jobs SET state = CASE state WHEN 'running' THEN 'done' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'running' THEN 'done' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('running');

UPDATE jobs SET state = CASE state WHEN 'running' THEN 'failed' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'running' THEN 'failed' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('running');

UPDATE jobs SET state = CASE state WHEN 'running' THEN 'queued' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'running' THEN 'queued' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('running');

UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'failed' WHEN 'running' THEN 'failed' WHEN 'paused' THEN 'failed' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'queued' THEN 'failed' WHEN 'running' THEN 'failed' WHEN 'paused' THEN 'failed' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END
  WHERE id = @id AND state IN ('queued', 'running', 'paused');
