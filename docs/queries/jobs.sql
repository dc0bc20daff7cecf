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
  parameters = json_set(json_remove(parameters, '$.needs_room'), '$.process', @process), replica_id = CAST(@replicaId AS bigint)
  WHERE id = @id AND state IN ('queued') RETURNING *;
-- PostgreSQL
UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'running' END, started_at = ifnull(started_at, @now),
  parameters = CAST(CAST(parameters AS jsonb) - 'needs_room' || jsonb_build_object('process', CAST(@process AS text)) AS text), replica_id = CAST(@replicaId AS bigint)
  WHERE id = (SELECT id FROM jobs WHERE id = @id AND state IN ('queued') AND (replica_id IS NULL OR replica_id = @replicaId) FOR UPDATE SKIP LOCKED)
  AND (CAST(@replicaId AS bigint) IS NULL OR EXISTS (SELECT 1 FROM replicas WHERE id = @replicaId AND lease_until > milliseconds_now())) RETURNING *;

UPDATE jobs SET files_done = @filesDone, files_total = @filesTotal, bytes_done = @bytesDone, bytes_total = @bytesTotal, message = @message
  WHERE id = @id AND state = 'running' AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId);

UPDATE jobs SET parameters = @parameters WHERE id = @id AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId);

UPDATE jobs SET replica_id = NULL WHERE id = ? AND replica_id = ? AND state <> 'running';

-- SQLite
SELECT * FROM jobs WHERE replica_id IS NOT NULL AND FALSE ORDER BY id;
-- PostgreSQL
SELECT * FROM jobs WHERE replica_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM replicas WHERE replicas.id = jobs.replica_id AND replicas.lease_until > milliseconds_now()) ORDER BY id;

DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE ended_at < ? LIMIT ?);

SELECT * FROM jobs WHERE state IN ('queued', 'running', 'paused') ORDER BY id DESC LIMIT 100;

SELECT * FROM jobs WHERE user_id = ? AND state IN ('queued', 'running', 'paused') ORDER BY id DESC LIMIT 100;

SELECT * FROM jobs WHERE state NOT IN ('queued', 'running', 'paused') ORDER BY id DESC LIMIT 100;

SELECT * FROM jobs WHERE user_id = ? AND state NOT IN ('queued', 'running', 'paused') ORDER BY id DESC LIMIT 100;

SELECT * FROM jobs WHERE TRUE ORDER BY id DESC LIMIT 100;

SELECT * FROM jobs WHERE user_id = ? AND TRUE ORDER BY id DESC LIMIT 100;

UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'paused' WHEN 'running' THEN 'paused' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'queued' THEN 'paused' WHEN 'running' THEN 'paused' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('queued', 'running') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');

UPDATE jobs SET state = CASE state WHEN 'paused' THEN 'queued' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'paused' THEN 'queued' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('paused') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');

UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'cancelled' WHEN 'running' THEN 'cancelled' WHEN 'paused' THEN 'cancelled' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'queued' THEN 'cancelled' WHEN 'running' THEN 'cancelled' WHEN 'paused' THEN 'cancelled' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('queued', 'running', 'paused') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');

UPDATE jobs SET state = CASE state WHEN 'failed' THEN 'cancelled' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'failed' THEN 'cancelled' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('failed') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');

UPDATE jobs SET state = CASE state WHEN 'running' THEN 'done' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'running' THEN 'done' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('running') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');

UPDATE jobs SET state = CASE state WHEN 'running' THEN 'failed' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'running' THEN 'failed' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('running') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');

UPDATE jobs SET state = CASE state WHEN 'running' THEN 'queued' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'running' THEN 'queued' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('running') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');

UPDATE jobs SET state = CASE state WHEN 'queued' THEN 'failed' WHEN 'running' THEN 'failed' WHEN 'paused' THEN 'failed' END, message = @message, result = @result,
  ended_at = CASE WHEN CASE state WHEN 'queued' THEN 'failed' WHEN 'running' THEN 'failed' WHEN 'paused' THEN 'failed' END IN ('queued', 'running', 'paused') THEN NULL ELSE CAST(@now AS bigint) END,
  replica_id = CASE WHEN CAST(@replicaId AS bigint) IS NULL THEN replica_id ELSE NULL END
  WHERE id = @id AND state IN ('queued', 'running', 'paused') AND (CAST(@replicaId AS bigint) IS NULL OR replica_id = @replicaId AND state = 'running');
