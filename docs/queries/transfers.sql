-- src-main/service/transfers/downloads-writer.ts

-- SQLite
INSERT INTO downloads (id, started_at, last_at, user_id, token_id, application_id, address, user_agent_id, measurement_id, file_count, files_whole, as_archive,
  requests, bytes_sent, outcome, reason, first_transfer_id, last_transfer_id, replica_id)
  VALUES (@id, @startedAt, @lastAt, @userId, @tokenId, @applicationId, @address, @userAgentId, @measurementId, @fileCount, @filesWhole, @asArchive, @requests, @bytesSent, @outcome, @reason, @first, @last, @replicaId)
  ON CONFLICT (id) DO UPDATE SET last_at = excluded.last_at, files_whole = excluded.files_whole, as_archive = excluded.as_archive, requests = excluded.requests,
  bytes_sent = excluded.bytes_sent, outcome = excluded.outcome, reason = excluded.reason, last_transfer_id = excluded.last_transfer_id, replica_id = excluded.replica_id WHERE downloads.outcome <> 'killed';
-- PostgreSQL
INSERT INTO downloads (id, started_at, last_at, user_id, token_id, application_id, address, user_agent_id, measurement_id, file_count, files_whole, as_archive,
  requests, bytes_sent, outcome, reason, first_transfer_id, last_transfer_id, replica_id)
  SELECT x.* FROM json_to_recordset(CAST(@rows AS json)) AS x ("id" bigint, "startedAt" bigint, "lastAt" bigint, "userId" bigint, "tokenId" bigint, "applicationId" bigint, "address" text, "userAgentId" bigint, "measurementId" text, "fileCount" bigint, "filesWhole" bigint, "asArchive" bigint, "requests" bigint, "bytesSent" bigint, "outcome" text, "reason" text, "first" bigint, "last" bigint, "replicaId" bigint)
  ON CONFLICT (id) DO UPDATE SET last_at = excluded.last_at, files_whole = excluded.files_whole, as_archive = excluded.as_archive, requests = excluded.requests,
  bytes_sent = excluded.bytes_sent, outcome = excluded.outcome, reason = excluded.reason, last_transfer_id = excluded.last_transfer_id, replica_id = excluded.replica_id WHERE downloads.outcome <> 'killed';

-- src-main/service/transfers/past-transfers-store.ts

SELECT count(*) FROM (SELECT 1 FROM transfers LIMIT 10001) AS counted;

SELECT id FROM transfers ORDER BY started_at DESC, id DESC LIMIT ? OFFSET ?;

SELECT max(id) FROM transfers;

-- SQLite
SELECT id FROM transfers WHERE id >= @from AND id < @before
  AND (measurement_id LIKE @pattern ESCAPE '\' OR address LIKE @pattern ESCAPE '\'
  OR EXISTS (SELECT 1 FROM users WHERE users.id = transfers.user_id AND username LIKE @pattern ESCAPE '\')) ORDER BY id DESC;
-- PostgreSQL
SELECT id FROM transfers WHERE id >= @from AND id < @before
  AND (measurement_id ILIKE @pattern ESCAPE '\' OR address ILIKE @pattern ESCAPE '\'
  OR EXISTS (SELECT 1 FROM users WHERE users.id = transfers.user_id AND username ILIKE @pattern ESCAPE '\')) ORDER BY id DESC;

-- SQLite
SELECT transfers.*, ifnull(user_agents.text, transfers.user_agent) AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
  FROM transfers LEFT JOIN user_agents ON user_agents.id = transfers.user_agent_id LEFT JOIN users ON users.id = transfers.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = transfers.token_id
  LEFT JOIN oauth_applications ON oauth_applications.id = transfers.application_id
  LEFT JOIN measurement_files ON measurement_files.measurement_id = transfers.measurement_id AND measurement_files.idx = transfers.file_index
  WHERE transfers.id IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT transfers.*, ifnull(user_agents.text, transfers.user_agent) AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
  FROM transfers LEFT JOIN user_agents ON user_agents.id = transfers.user_agent_id LEFT JOIN users ON users.id = transfers.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = transfers.token_id
  LEFT JOIN oauth_applications ON oauth_applications.id = transfers.application_id
  LEFT JOIN measurement_files ON measurement_files.measurement_id = transfers.measurement_id AND measurement_files.idx = transfers.file_index
  WHERE transfers.id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

SELECT transfers.*, ifnull(user_agents.text, transfers.user_agent) AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
  FROM transfers LEFT JOIN user_agents ON user_agents.id = transfers.user_agent_id LEFT JOIN users ON users.id = transfers.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = transfers.token_id
  LEFT JOIN oauth_applications ON oauth_applications.id = transfers.application_id
  LEFT JOIN measurement_files ON measurement_files.measurement_id = transfers.measurement_id AND measurement_files.idx = transfers.file_index
  WHERE transfers.ended_at IS NULL ORDER BY transfers.id LIMIT 1000;

-- src-main/service/transfers/transfers-store.ts

-- SQLite
UPDATE transfers SET ended_at = @endedAt, bytes_sent = @bytesSent, outcome = @outcome WHERE id = @id AND ended_at IS NULL;
-- PostgreSQL
UPDATE transfers SET ended_at = x."endedAt", bytes_sent = x."bytesSent", outcome = x.outcome
  FROM json_to_recordset(CAST(@rows AS json)) AS x (id bigint, "endedAt" bigint, "bytesSent" bigint, outcome text)
  WHERE transfers.id = x.id AND transfers.ended_at IS NULL;

-- SQLite
UPDATE transfers SET ended_at = @endedAt, bytes_sent = @bytesSent, requests = @requests, range = @range WHERE id = @id;
-- PostgreSQL
UPDATE transfers SET ended_at = x."endedAt", bytes_sent = x."bytesSent", requests = x.requests, range = x.range
  FROM json_to_recordset(CAST(@rows AS json)) AS x (id bigint, "endedAt" bigint, "bytesSent" bigint, requests bigint, range text) WHERE transfers.id = x.id;

UPDATE transfers SET ended_at = ?, outcome = 'killed' WHERE id > ? AND id <= ? AND ended_at IS NULL;

SELECT max(id) FROM transfers;

SELECT max(id) FROM downloads;

UPDATE downloads SET outcome = 'killed' WHERE outcome = 'running' AND id <= ?;

-- SQLite
UPDATE transfers SET ended_at = ?, outcome = 'killed' WHERE ended_at IS NULL AND FALSE;
-- PostgreSQL
UPDATE transfers SET ended_at = ?, outcome = 'killed' WHERE ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM replicas WHERE replicas.id = transfers.replica_id AND replicas.lease_until > milliseconds_now());

-- SQLite
UPDATE downloads SET outcome = 'killed' WHERE outcome = 'running' AND FALSE;
-- PostgreSQL
UPDATE downloads SET outcome = 'killed' WHERE outcome = 'running' AND NOT EXISTS (SELECT 1 FROM replicas WHERE replicas.id = downloads.replica_id AND replicas.lease_until > milliseconds_now());

SELECT page.*, ifnull(user_agents.text, page.user_agent) AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
  FROM (SELECT * FROM transfers WHERE measurement_id = ? ORDER BY id DESC LIMIT ? OFFSET ?) AS page
  LEFT JOIN user_agents ON user_agents.id = page.user_agent_id LEFT JOIN users ON users.id = page.user_id LEFT JOIN personal_access_tokens ON personal_access_tokens.id = page.token_id
  LEFT JOIN oauth_applications ON oauth_applications.id = page.application_id
  LEFT JOIN measurement_files ON measurement_files.measurement_id = page.measurement_id AND measurement_files.idx = page.file_index ORDER BY page.id DESC;

SELECT count(*) FROM (SELECT 1 FROM transfers WHERE measurement_id = ? LIMIT 10001) AS counted;

-- src-main/service/transfers/user-agents.ts

SELECT id FROM user_agents WHERE text = ?;

INSERT INTO user_agents (text, used_at) VALUES (?, ?) RETURNING id;

UPDATE user_agents SET used_at = ? WHERE id = ?;

SELECT count(*) FROM user_agents;
