-- src-main/service/copies/store/copies-store.ts

INSERT INTO copies (measurement_id, title, manifest_sha256, base_url, server_id, server_name, project, state, bytes_total, created_at)
  VALUES (@measurement_id, @title, @manifest_sha256, @base_url, @server_id, @server_name, @project, 'queued', @bytes_total, @now)
  ON CONFLICT (measurement_id, base_url) DO UPDATE
  SET state = 'queued', title = excluded.title, manifest_sha256 = excluded.manifest_sha256, project = excluded.project,
  server_id = excluded.server_id, server_name = excluded.server_name, bytes_total = excluded.bytes_total,
  upload_url = CASE WHEN copies.manifest_sha256 = excluded.manifest_sha256 THEN copies.upload_url END,
  bytes_done = 0, reason = NULL, message = NULL, attempts = 0, retry_at = NULL, receipt = NULL, verified_at = NULL,
  check_at = NULL, ended_at = NULL
  WHERE copies.state IN ('failed', 'cancelled')
  OR (copies.manifest_sha256 <> excluded.manifest_sha256 AND copies.state <> 'sending');

SELECT * FROM copies WHERE id = ?;

UPDATE copies SET state = 'queued', retry_at = NULL
  WHERE state = 'waiting' AND (retry_at IS NULL OR retry_at <= ? OR retry_at > ?);

SELECT id FROM copies WHERE state = 'sending';

SELECT * FROM copies WHERE state = 'cancelled' AND upload_url IS NOT NULL ORDER BY id LIMIT ?;

UPDATE copies SET state = 'asking', reason = ?, message = ?, retry_at = NULL
  WHERE state IN ('queued', 'waiting') AND base_url = ?;

UPDATE copies SET state = 'queued', reason = NULL, message = NULL, retry_at = NULL
  WHERE state IN ('asking', 'waiting') AND base_url = ?;

SELECT DISTINCT base_url FROM copies WHERE state = 'queued';

SELECT * FROM copies WHERE state = 'queued' AND base_url = ? ORDER BY id LIMIT ?;

UPDATE copies SET bytes_done = ?, upload_url = ? WHERE id = ?;

UPDATE copies SET state = 'verified', receipt = ?, verified_at = ?, check_at = ?, ended_at = ?, bytes_done = bytes_total,
  upload_url = NULL, reason = NULL, message = NULL, retry_at = NULL, attempts = 0
  WHERE id = ? AND state = 'sending';

SELECT * FROM copies WHERE check_at <= ? AND state = 'verified' ORDER BY check_at, id LIMIT ?;

SELECT * FROM copies WHERE check_at > ? AND state = 'verified' ORDER BY check_at, id LIMIT ?;

UPDATE copies SET check_at = ? WHERE id = ?;

UPDATE copies SET check_at = ? WHERE base_url = ? AND check_at < ? AND state = 'verified';

UPDATE copies SET verified_at = ?, check_at = ? WHERE id = ? AND state = 'verified';

UPDATE copies SET check_at = ? WHERE id = ? AND state = 'verified';

UPDATE copies SET check_at = ? WHERE state = 'verified';

DELETE FROM copies WHERE id = ? AND state NOT IN ('queued', 'sending', 'waiting', 'asking', 'paused');

DELETE FROM copies WHERE state NOT IN ('queued', 'sending', 'waiting', 'asking', 'paused') AND state <> 'verified';

SELECT keys FROM receipt_issuers WHERE base_url = ?;

INSERT INTO receipt_issuers (base_url, keys, first_seen_at) VALUES (?, ?, ?)
  ON CONFLICT (base_url) DO UPDATE SET keys = excluded.keys;

-- src-main/service/copies/store/copy-list-store.ts

SELECT * FROM copies WHERE state = ? ORDER BY id DESC LIMIT ? OFFSET ?;

SELECT * FROM copies WHERE measurement_id = ? ORDER BY id DESC LIMIT 1000;

SELECT state, count(*) AS count FROM copies GROUP BY state;

SELECT m.id, m.title, m.state, m.problem_count, m.archive_bytes, m.archive_tag FROM grants JOIN measurements AS m ON m.id = grants.measurement_id
  WHERE grants.project_id = ? AND m.id > ? AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = m.id) ORDER BY m.id LIMIT ?;

SELECT * FROM copies WHERE measurement_id = ? AND state = 'verified' AND verified_at >= ? ORDER BY verified_at DESC, id LIMIT 100;

-- SQLite
SELECT measurement_id, count(*) AS count FROM copies
  WHERE measurement_id IN (SELECT value FROM json_each(?)) AND state = 'verified' AND verified_at >= ? GROUP BY measurement_id;
-- PostgreSQL
SELECT measurement_id, count(*) AS count FROM copies
  WHERE measurement_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb)))) AND state = 'verified' AND verified_at >= ? GROUP BY measurement_id;

-- src-main/service/copies/store/copy-transitions.ts

UPDATE copies SET state = CASE state WHEN 'sending' THEN 'verified' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('sending');

UPDATE copies SET state = CASE state WHEN 'sending' THEN 'failed' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('sending');

UPDATE copies SET state = CASE state WHEN 'sending' THEN 'waiting' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('sending');

UPDATE copies SET state = CASE state WHEN 'sending' THEN 'queued' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('sending');

UPDATE copies SET state = CASE state WHEN 'waiting' THEN 'queued' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('waiting');

UPDATE copies SET state = CASE state WHEN 'asking' THEN 'queued' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('asking');

UPDATE copies SET state = CASE state WHEN 'verified' THEN 'failed' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('verified');

UPDATE copies SET state = CASE state WHEN 'queued' THEN 'cancelled' WHEN 'sending' THEN 'cancelled' WHEN 'waiting' THEN 'cancelled' WHEN 'asking' THEN 'cancelled' WHEN 'paused' THEN 'cancelled' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('queued', 'sending', 'waiting', 'asking', 'paused');

UPDATE copies SET state = CASE state WHEN 'failed' THEN 'queued' WHEN 'cancelled' THEN 'queued' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('failed', 'cancelled');

UPDATE copies SET state = CASE state WHEN 'queued' THEN 'sending' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('queued');

UPDATE copies SET state = CASE state WHEN 'queued' THEN 'asking' WHEN 'sending' THEN 'asking' WHEN 'waiting' THEN 'asking' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('queued', 'sending', 'waiting');

UPDATE copies SET state = CASE state WHEN 'queued' THEN 'paused' WHEN 'sending' THEN 'paused' WHEN 'waiting' THEN 'paused' WHEN 'asking' THEN 'paused' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('queued', 'sending', 'waiting', 'asking');

UPDATE copies SET state = CASE state WHEN 'waiting' THEN 'queued' WHEN 'asking' THEN 'queued' WHEN 'paused' THEN 'queued' END, reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at) WHERE id = @id AND state IN ('waiting', 'asking', 'paused');

UPDATE copies SET state = CASE state WHEN 'queued' THEN 'paused' WHEN 'sending' THEN 'paused' WHEN 'waiting' THEN 'paused' WHEN 'asking' THEN 'paused' END, reason = NULL, message = NULL, retry_at = NULL, attempts = 0, ended_at = ? WHERE state IN ('queued', 'sending', 'waiting', 'asking');

UPDATE copies SET state = CASE state WHEN 'waiting' THEN 'queued' WHEN 'asking' THEN 'queued' WHEN 'paused' THEN 'queued' END, reason = NULL, message = NULL, retry_at = NULL, attempts = 0, ended_at = ? WHERE state IN ('waiting', 'asking', 'paused');

UPDATE copies SET state = CASE state WHEN 'queued' THEN 'cancelled' WHEN 'sending' THEN 'cancelled' WHEN 'waiting' THEN 'cancelled' WHEN 'asking' THEN 'cancelled' WHEN 'paused' THEN 'cancelled' END, reason = NULL, message = NULL, retry_at = NULL, attempts = 0, ended_at = ? WHERE state IN ('queued', 'sending', 'waiting', 'asking', 'paused');

UPDATE copies SET state = 'queued', reason = NULL, message = NULL, attempts = 0, ended_at = ? WHERE state = 'failed';

-- src-main/service/copies/store/late-copies-store.ts

SELECT c.id, c.measurement_id, m.owner_id, c.manifest_sha256, c.base_url, c.server_name, c.state, c.message, c.attempts,
  c.bytes_done
  FROM copies AS c LEFT JOIN measurements AS m ON m.id = c.measurement_id
  WHERE c.state IN ('queued', 'sending', 'waiting', 'asking') ORDER BY c.id;

SELECT q.base_url, (SELECT max(ended_at) FROM copies AS c WHERE c.base_url = q.base_url) AS ended_at,
  (SELECT CAST(sum(bytes_done) AS bigint) FROM copies AS c WHERE c.base_url = q.base_url AND c.state = 'sending') AS bytes
  FROM (SELECT DISTINCT base_url FROM copies WHERE state = 'queued') AS q;
