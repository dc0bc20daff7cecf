-- src-main/service/errors/store/announced-releases-store.ts

INSERT INTO announced_releases (project_id, version, url, archived, created_at, released_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (project_id, version) DO UPDATE SET
  url = ifnull(excluded.url, announced_releases.url), archived = ifnull(CAST(? AS bigint), announced_releases.archived),
  released_at = ifnull(excluded.released_at, announced_releases.released_at)
  RETURNING id, project_id, version, url, archived, created_at, released_at;

-- SQLite
DELETE FROM announced_releases WHERE id IN
  (SELECT id FROM announced_releases WHERE project_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?);
-- PostgreSQL
DELETE FROM announced_releases WHERE id IN
  (SELECT id FROM announced_releases WHERE project_id = ? ORDER BY id DESC LIMIT ALL OFFSET ?);

SELECT id, project_id, version, url, archived, created_at, released_at FROM announced_releases WHERE project_id = ? AND version = ?;

SELECT id, project_id, version, url, archived, created_at, released_at FROM announced_releases WHERE project_id = ? ORDER BY id DESC LIMIT ?;

SELECT (SELECT count(*) FROM release_deploys WHERE release_id = @id) AS deploys,
  (SELECT count(*) FROM source_maps WHERE project_id = @project AND ifnull(release, '') = @version) AS source_maps;

DELETE FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ?;

DELETE FROM announced_releases WHERE project_id = ? AND version = ?;

INSERT INTO release_deploys (release_id, environment, name, url, started_at, finished_at) VALUES (?, ?, ?, ?, ?, ?)
  RETURNING id, environment, name, url, started_at, finished_at;

-- SQLite
DELETE FROM release_deploys WHERE id IN (SELECT id FROM release_deploys WHERE release_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?);
-- PostgreSQL
DELETE FROM release_deploys WHERE id IN (SELECT id FROM release_deploys WHERE release_id = ? ORDER BY id DESC LIMIT ALL OFFSET ?);

SELECT id, environment, name, url, started_at, finished_at FROM release_deploys WHERE release_id = ? ORDER BY id DESC LIMIT ?;

-- src-main/service/errors/store/change-errors-store.ts

-- SQLite
UPDATE errors SET status = @status, resolved_at = CASE WHEN @status = 'resolved' THEN CAST(@now AS bigint) END, regressed_at = NULL
  WHERE id IN (SELECT value FROM json_each(@ids)) AND project_id = @projectId AND status <> @status;
-- PostgreSQL
UPDATE errors SET status = @status, resolved_at = CASE WHEN @status = 'resolved' THEN CAST(@now AS bigint) END, regressed_at = NULL
  WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb))::bigint)) AND project_id = @projectId AND status <> @status;

DELETE FROM errors WHERE id = @id AND project_id = @projectId;

DELETE FROM error_events WHERE (id) IN (SELECT id FROM error_events WHERE group_id IN (SELECT id FROM error_groups WHERE error_id = (SELECT id FROM errors WHERE id = @id AND project_id = @projectId)) LIMIT 100);

DELETE FROM error_users WHERE (group_id, user_hash) IN (SELECT group_id, user_hash FROM error_users WHERE group_id IN (SELECT id FROM error_groups WHERE error_id = (SELECT id FROM errors WHERE id = @id AND project_id = @projectId)) LIMIT 500);

DELETE FROM error_tags WHERE (group_id, tag, value) IN (SELECT group_id, tag, value FROM error_tags WHERE group_id IN (SELECT id FROM error_groups WHERE error_id = (SELECT id FROM errors WHERE id = @id AND project_id = @projectId)) LIMIT 500);

DELETE FROM error_hours WHERE (group_id, hour) IN (SELECT group_id, hour FROM error_hours WHERE group_id IN (SELECT id FROM error_groups WHERE error_id = (SELECT id FROM errors WHERE id = @id AND project_id = @projectId)) LIMIT 500);

DELETE FROM error_minutes WHERE (group_id, minute) IN (SELECT group_id, minute FROM error_minutes WHERE group_id IN (SELECT id FROM error_groups WHERE error_id = (SELECT id FROM errors WHERE id = @id AND project_id = @projectId)) LIMIT 500);

-- src-main/service/errors/store/chunks-store.ts

INSERT INTO upload_chunks (user_id, digest, uploaded_at, size, content) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (user_id, digest) DO UPDATE SET uploaded_at = excluded.uploaded_at;

-- SQLite
SELECT DISTINCT value FROM json_each(?) AS wanted
  WHERE NOT EXISTS (SELECT 1 FROM upload_chunks WHERE user_id = ? AND digest = wanted.value);
-- PostgreSQL
SELECT DISTINCT value FROM (SELECT jsonb_array_elements_text(CAST(? AS jsonb)) AS value) AS wanted
  WHERE NOT EXISTS (SELECT 1 FROM upload_chunks WHERE user_id = ? AND digest = wanted.value);

SELECT content FROM upload_chunks WHERE user_id = ? AND digest = ?;

SELECT ifnull(sum(size), 0) FROM upload_chunks WHERE user_id = ?;

SELECT ifnull(sum(size), 0) FROM upload_chunks;

-- SQLite
DELETE FROM upload_chunks WHERE user_id = ? AND digest IN (SELECT value FROM json_each(?));
-- PostgreSQL
DELETE FROM upload_chunks WHERE user_id = ? AND digest = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))));

DELETE FROM upload_chunks WHERE (user_id, digest) IN
  (SELECT user_id, digest FROM upload_chunks WHERE uploaded_at < ? LIMIT ?);

-- src-main/service/errors/store/client-keys-store.ts

INSERT INTO client_keys (project_id, public_key, created_at) VALUES (?, ?, ?) RETURNING *;

INSERT INTO client_keys (project_id, public_key, created_at)
  SELECT CAST(@project AS bigint), @key, CAST(@at AS bigint) WHERE NOT EXISTS (SELECT 1 FROM client_keys WHERE project_id = CAST(@project AS bigint)) RETURNING *;

SELECT * FROM client_keys WHERE project_id = ? ORDER BY id LIMIT ? OFFSET ?;

SELECT count(*) FROM client_keys WHERE project_id = ?;

DELETE FROM client_keys WHERE project_id = ? AND id = ? RETURNING *;

SELECT * FROM client_keys WHERE id = ?;

SELECT client_keys.id, client_keys.project_id AS project, client_keys.active,
  monitor = 1 AND coalesce(settings.active = 1 AND settings.integrated = 1, FALSE) AS taking
  FROM client_keys JOIN projects ON projects.id = client_keys.project_id
  LEFT JOIN error_tracking_settings AS settings ON settings.project_id = projects.id WHERE public_key = ?;

UPDATE client_keys SET events = events + ?, last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?;

-- src-main/service/errors/store/error-detail-store.ts

SELECT * FROM errors WHERE id = ? AND project_id = ?;

SELECT project_id FROM errors WHERE id = ?;

SELECT id, first_seen, last_seen, events, first_release FROM error_groups WHERE error_id = ? ORDER BY first_seen, id;

SELECT hour, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
  WHERE error_id = ? AND hour >= ? GROUP BY hour;

SELECT release, min(occurred_at) AS first, count(*) AS events
  FROM (SELECT release, occurred_at FROM error_events WHERE group_id = ? ORDER BY id DESC LIMIT ?) AS kept WHERE release IS NOT NULL GROUP BY release;

SELECT tag FROM error_tags WHERE group_id = ? AND tag > ? ORDER BY tag LIMIT 1;

SELECT value, events, last_seen FROM error_tags WHERE group_id = ? AND tag = ? ORDER BY value LIMIT ?;

-- src-main/service/errors/store/error-event-store.ts

SELECT id, event_id, payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample FROM error_events WHERE id = (SELECT max(edge) FROM (SELECT (SELECT max(id) FROM error_events WHERE group_id = error_groups.id ) AS edge
  FROM error_groups WHERE error_id = @errorId) AS edges);

SELECT id, event_id, payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample FROM error_events WHERE id = (SELECT min(edge) FROM (SELECT (SELECT min(id) FROM error_events WHERE group_id = error_groups.id ) AS edge
  FROM error_groups WHERE error_id = @errorId) AS edges);

SELECT id, event_id, payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample FROM error_events WHERE project_id = ? AND event_id = ? AND group_id IN (SELECT id FROM error_groups WHERE error_id = ?);

SELECT event_id FROM error_events WHERE id = (SELECT max(edge) FROM (SELECT (SELECT max(id) FROM error_events WHERE group_id = error_groups.id AND id < @id) AS edge
  FROM error_groups WHERE error_id = @errorId) AS edges);

SELECT event_id FROM error_events WHERE id = (SELECT min(edge) FROM (SELECT (SELECT min(id) FROM error_events WHERE group_id = error_groups.id AND id > @id) AS edge
  FROM error_groups WHERE error_id = @errorId) AS edges);

SELECT count(*) FROM error_groups JOIN error_events ON group_id = error_groups.id WHERE error_id = @errorId;

SELECT count(*) FILTER (WHERE error_events.id <= @id) AS position, count(*) AS "of" FROM error_groups JOIN error_events ON group_id = error_groups.id WHERE error_id = @errorId;

-- src-main/service/errors/store/event-count-sets-store.ts

WITH of_groups AS (
  UPDATE error_groups SET events = error_groups.events + x.events, first_event_id = coalesce(error_groups.first_event_id, x.first_row),
  first_seen = least(error_groups.first_seen, x.first_seen), last_seen = greatest(error_groups.last_seen, x.last_seen),
  last_received = greatest(error_groups.last_received, x.last_received), stored_bytes = error_groups.stored_bytes + x.bytes, first_release = CASE WHEN x.first_release_at < error_groups.first_seen THEN x.first_release ELSE coalesce(error_groups.first_release, x.first_release) END,
  last_release = CASE WHEN x.last_release_at >= error_groups.last_seen THEN x.last_release ELSE coalesce(error_groups.last_release, x.last_release) END
  FROM json_to_recordset(CAST(@groups AS json)) AS x (id bigint, events bigint, first_seen bigint, last_seen bigint, first_release text, first_release_at bigint, last_release text, last_release_at bigint, first_row bigint, last_received bigint, bytes bigint) WHERE error_groups.id = x.id),
  of_errors AS (
  UPDATE errors SET events = errors.events + x.events, users = errors.users + x.users,
  first_seen = least(errors.first_seen, x.first_seen), last_seen = greatest(errors.last_seen, x.last_seen),
  type = CASE WHEN x.last_seen >= errors.last_seen THEN x.type ELSE errors.type END, value = CASE WHEN x.last_seen >= errors.last_seen THEN x.value ELSE errors.value END, culprit = CASE WHEN x.last_seen >= errors.last_seen THEN x.culprit ELSE errors.culprit END, level = CASE WHEN x.last_seen >= errors.last_seen THEN x.level ELSE errors.level END, platform = CASE WHEN x.last_seen >= errors.last_seen THEN x.platform ELSE errors.platform END, first_release = CASE WHEN x.first_release_at < errors.first_seen THEN x.first_release ELSE coalesce(errors.first_release, x.first_release) END,
  last_release = CASE WHEN x.last_release_at >= errors.last_seen THEN x.last_release ELSE coalesce(errors.last_release, x.last_release) END
  FROM json_to_recordset(CAST(@errors AS json)) AS x (id bigint, events bigint, first_seen bigint, last_seen bigint, first_release text, first_release_at bigint, last_release text, last_release_at bigint, users bigint, type text, value text, culprit text, level text, platform text) WHERE errors.id = x.id),
  of_hours AS (
  INSERT INTO error_hours (group_id, hour, events) SELECT "group", hour, events
  FROM json_to_recordset(CAST(@hours AS json)) AS x ("group" bigint, hour bigint, events bigint)
  ON CONFLICT (group_id, hour) DO UPDATE SET events = error_hours.events + excluded.events),
  of_minutes AS (
  INSERT INTO error_minutes (group_id, minute, events) SELECT "group", minute, events
  FROM json_to_recordset(CAST(@minutes AS json)) AS x ("group" bigint, minute bigint, events bigint)
  ON CONFLICT (group_id, minute) DO UPDATE SET events = error_minutes.events + excluded.events),
  tags AS MATERIALIZED (SELECT * FROM json_to_recordset(CAST(@tags AS json)) AS x ("group" bigint, tag text, value text, events bigint, last bigint)),
  updated AS (
  UPDATE error_tags SET events = error_tags.events + tags.events, last_seen = greatest(error_tags.last_seen, tags.last)
  FROM tags WHERE group_id = tags."group" AND error_tags.tag = tags.tag AND error_tags.value = tags.value
  RETURNING group_id, error_tags.tag, error_tags.value),
  missing AS (
  SELECT tags.*, row_number() OVER (PARTITION BY tags."group", tags.tag) AS place FROM tags
  LEFT JOIN updated ON updated.group_id = tags."group" AND updated.tag = tags.tag AND updated.value = tags.value WHERE updated.group_id IS NULL),
  known AS (
  SELECT "group", tag, (SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE group_id = "group" AND error_tags.tag = missing.tag LIMIT 1000) AS counted) AS values
  FROM missing WHERE place = 1)
  INSERT INTO error_tags (group_id, tag, value, events, last_seen)
  SELECT missing."group", missing.tag, value, events, last FROM missing JOIN known ON known."group" = missing."group" AND known.tag = missing.tag
  WHERE known.values + place <= 1000;

WITH uses AS (SELECT * FROM json_to_recordset(CAST(@keys AS json)) AS x (id bigint, events bigint, last bigint)),
  locked AS MATERIALIZED (
  SELECT client_keys.id FROM client_keys JOIN uses ON client_keys.id = uses.id ORDER BY client_keys.id FOR NO KEY UPDATE OF client_keys),
  of_keys AS (
  UPDATE client_keys SET events = client_keys.events + uses.events, last_used_at = greatest(last_used_at, uses.last)
  FROM uses JOIN locked ON locked.id = uses.id WHERE client_keys.id = uses.id)
  INSERT INTO ingest_counts (project_id, hour, outcome, count) SELECT "projectId", hour, outcome, count
  FROM json_to_recordset(CAST(@counts AS json)) AS x ("projectId" bigint, hour bigint, outcome text, count bigint) ORDER BY 1, 2, 3
  ON CONFLICT (project_id, hour, outcome) DO UPDATE SET count = ingest_counts.count + excluded.count;

-- src-main/service/errors/store/event-counts-store.ts

UPDATE error_groups SET events = events + @events, first_event_id = ifnull(first_event_id, @firstRow), first_seen = min(first_seen, @firstSeen),
  last_seen = max(last_seen, @lastSeen), last_received = max(last_received, @lastReceived), stored_bytes = stored_bytes + @bytes, first_release = iif(@firstReleaseAt < first_seen, @firstRelease, ifnull(first_release, @firstRelease)),
  last_release = iif(@lastReleaseAt >= last_seen, @lastRelease, ifnull(last_release, @lastRelease)) WHERE id = @id;

UPDATE errors SET first_seen = @firstSeen, first_release = iif(@firstReleaseAt < first_seen, @firstRelease, first_release)
  WHERE id = @errorId AND first_seen > @firstSeen;

UPDATE errors SET events = events + @events, users = users + @users, last_seen = max(last_seen, @lastSeen),
  type = iif(@lastSeen >= last_seen, @type, type), value = iif(@lastSeen >= last_seen, @value, value),
  culprit = iif(@lastSeen >= last_seen, @culprit, culprit), level = iif(@lastSeen >= last_seen, @level, level),
  platform = iif(@lastSeen >= last_seen, @platform, platform), first_release = iif(@firstReleaseAt < first_seen, @firstRelease, ifnull(first_release, @firstRelease)),
  last_release = iif(@lastReleaseAt >= last_seen, @lastRelease, ifnull(last_release, @lastRelease)) WHERE id = @errorId;

INSERT INTO error_hours (group_id, hour, events) VALUES (?, ?, ?) ON CONFLICT (group_id, hour) DO UPDATE SET events = error_hours.events + excluded.events;

INSERT INTO error_minutes (group_id, minute, events) VALUES (?, ?, ?) ON CONFLICT (group_id, minute) DO UPDATE SET events = error_minutes.events + excluded.events;

-- src-main/service/errors/store/event-dictionaries-store.ts

SELECT group_id AS "groupId", payload AS sample FROM error_groups JOIN error_samples ON group_id = error_groups.id
  WHERE project_id = ? AND version = ? AND key_hash = ?;

INSERT INTO error_samples (group_id, payload) VALUES (?, ?) ON CONFLICT DO NOTHING;

-- src-main/service/errors/store/event-group-sets-store.ts

SELECT x.project, x.version, x.hash FROM json_to_recordset(CAST(@keys AS json)) AS x (project bigint, version bigint, hash text) WHERE EXISTS (SELECT 1 FROM error_groups WHERE error_groups.project_id = x.project AND error_groups.version = x.version AND error_groups.key_hash = decode(x.hash, 'hex'));

SELECT x.project, x.version, x.hash, error_groups.id, errors.id AS error, errors.status
  FROM json_to_recordset(CAST(@keys AS json)) AS x (project bigint, version bigint, hash text) JOIN error_groups ON error_groups.project_id = x.project AND error_groups.version = x.version AND error_groups.key_hash = decode(x.hash, 'hex') JOIN errors ON errors.id = error_groups.error_id
  ORDER BY errors.id, error_groups.id FOR NO KEY UPDATE OF errors, error_groups;

SELECT nextval(pg_get_serial_sequence('errors', 'id')) AS id FROM generate_series(1, CAST(@count AS integer));

INSERT INTO errors (id, project_id, type, value, culprit, level, platform, first_seen, last_seen, events, first_release, last_release)
  SELECT id, project, type, value, culprit, level, platform, occurred, occurred, 0, release, release
  FROM json_to_recordset(CAST(@errors AS json)) AS x (id bigint, project bigint, type text, value text, culprit text, level text, platform text, occurred bigint, release text);

INSERT INTO error_groups (project_id, error_id, version, key_hash, first_seen, last_seen, last_received, stored_bytes, events, first_release, last_release)
  SELECT project, error, version, decode(hash, 'hex'), occurred, occurred, received, 0, 0, release, release
  FROM json_to_recordset(CAST(@groups AS json)) AS x (project bigint, version bigint, hash text, error bigint, occurred bigint, received bigint, release text)
  ORDER BY project, version, hash ON CONFLICT (project_id, version, key_hash) DO NOTHING RETURNING error_id AS error;

DELETE FROM errors USING json_to_recordset(CAST(@errors AS json)) AS x (id bigint) WHERE errors.id = x.id;

-- src-main/service/errors/store/event-groups-store.ts

SELECT id, error_id AS "errorId", (SELECT status FROM errors WHERE errors.id = error_id) AS status FROM error_groups
  WHERE project_id = ? AND version = ? AND key_hash = ?;

INSERT INTO errors (project_id, type, value, culprit, level, platform, first_seen, last_seen, events, first_release, last_release)
  VALUES (@projectId, @type, @value, @culprit, @level, @platform, @occurredAt, @occurredAt, 0, @release, @release) RETURNING id;

INSERT INTO error_groups (project_id, error_id, version, key_hash, first_seen, last_seen, last_received, stored_bytes, events, first_release, last_release)
  VALUES (@projectId, @errorId, @version, @hash, @occurredAt, @occurredAt, @receivedAt, 0, 0, @release, @release) RETURNING id;

UPDATE errors SET status = 'unresolved', regressed_at = @receivedAt, resolved_at = NULL
  WHERE id = @errorId AND status = 'resolved' AND @receivedAt > ifnull(resolved_at, 0) AND @occurredAt > ifnull(resolved_at, 0);

-- src-main/service/errors/store/event-sets-store.ts

SELECT at FROM (
  SELECT x.at, (SELECT 1 FROM error_events WHERE project_id = x.project AND event_id = decode(x.event, 'hex') LIMIT 1) AS found
  FROM json_to_recordset(CAST(@events AS json)) AS x (at bigint, project bigint, event text)) AS looked WHERE found IS NOT NULL;

INSERT INTO error_events (project_id, group_id, event_id, received_at, occurred_at, level, environment, release, payload)
  SELECT project, "group", decode(event, 'hex'), received, occurred, level, environment, release,
  substring(CAST(@payloads AS bytea) FROM start FOR length)
  FROM json_to_recordset(CAST(@events AS json)) AS x (project bigint, "group" bigint, event text, received bigint, occurred bigint, level text, environment text, release text, start integer, length integer)
  ORDER BY project, event ON CONFLICT (project_id, event_id) DO NOTHING
  RETURNING id, project_id AS project, encode(event_id, 'hex') AS event;

WITH added AS (
  INSERT INTO error_users (group_id, user_hash)
  SELECT DISTINCT "group", decode("user", 'hex') FROM json_to_recordset(CAST(@users AS json)) AS x ("group" bigint, "user" text) ORDER BY 1, 2
  ON CONFLICT DO NOTHING RETURNING group_id, user_hash
  )
  SELECT group_id AS "group", encode(user_hash, 'hex') AS "user" FROM added JOIN error_groups ON error_groups.id = group_id
  WHERE NOT EXISTS (
  SELECT 1 FROM error_groups AS others JOIN error_users ON error_users.group_id = others.id
  WHERE others.error_id = error_groups.error_id AND others.id <> added.group_id AND error_users.user_hash = added.user_hash);

-- src-main/service/errors/store/events-store.ts

SELECT 1 FROM error_events WHERE project_id = ? AND event_id = ?;

INSERT INTO error_events (project_id, group_id, event_id, received_at, occurred_at, level, environment, release, payload)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, event_id) DO NOTHING;

INSERT INTO error_users (group_id, user_hash) VALUES (?, ?) ON CONFLICT DO NOTHING;

SELECT 1 FROM error_groups JOIN error_users ON group_id = error_groups.id WHERE error_id = ? AND user_hash = ? AND group_id <> ? LIMIT 1;

-- src-main/service/errors/store/ingest-counts-store.ts

SELECT 1 FROM projects WHERE id = ?;

INSERT INTO ingest_counts (project_id, hour, outcome, count) VALUES (?, ?, ?, ?)
  ON CONFLICT (project_id, hour, outcome) DO UPDATE SET count = ingest_counts.count + excluded.count;

-- src-main/service/errors/store/ingest-stats-store.ts

SELECT hour, outcome, count FROM ingest_counts WHERE project_id = ? AND hour >= ?;

-- src-main/service/errors/store/list/error-list-store.ts

-- SQLite
SELECT error_id AS "errorId", hour, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
  WHERE error_id IN (SELECT value FROM json_each(?)) AND hour >= ? GROUP BY error_id, hour;
-- PostgreSQL
SELECT error_id AS "errorId", hour, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
  WHERE error_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint)) AND hour >= ? GROUP BY error_id, hour;

-- SQLite
SELECT * FROM errors WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT * FROM errors WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- src-main/service/errors/store/list/postgres-error-list-store.ts

SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE tag = @tag AND value = @value LIMIT @most) AS counted;

-- src-main/service/errors/store/merge-store.ts

-- SQLite
SELECT * FROM errors WHERE project_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY first_seen, id;
-- PostgreSQL
SELECT * FROM errors WHERE project_id = ? AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint)) ORDER BY first_seen, id;

-- SQLite
UPDATE error_groups SET error_id = ? WHERE error_id IN (SELECT value FROM json_each(?));
-- PostgreSQL
UPDATE error_groups SET error_id = ? WHERE error_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- SQLite
DELETE FROM errors WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
DELETE FROM errors WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

UPDATE errors SET status = @status, resolved_at = @resolved_at, regressed_at = @regressed_at WHERE id = @id;

UPDATE errors SET type = @type, value = @value, culprit = @culprit, level = @level, platform = @platform WHERE id = @id;

INSERT INTO errors (project_id, status, type, value, culprit, level, platform, first_seen, last_seen, events, resolved_at, regressed_at)
  SELECT project_id, status, type, value, culprit, level, platform, first_seen, last_seen, 0, resolved_at, regressed_at FROM errors
  WHERE id = ? AND project_id = ? RETURNING id;

SELECT error_groups.id FROM error_groups JOIN errors ON errors.id = error_id WHERE error_id = ? AND errors.project_id = ? ORDER BY error_groups.id;

-- SQLite
UPDATE error_groups SET error_id = ? WHERE error_id = ? AND id IN (SELECT value FROM json_each(?));
-- PostgreSQL
UPDATE error_groups SET error_id = ? WHERE error_id = ? AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- SQLite
SELECT payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample FROM error_events WHERE id = (SELECT max((SELECT max(id) FROM error_events WHERE group_id = value)) FROM json_each(?) AS listed);
-- PostgreSQL
SELECT payload, (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) AS sample FROM error_events WHERE id = (SELECT max((SELECT max(id) FROM error_events WHERE group_id = value)) FROM (SELECT CAST(jsonb_array_elements_text(CAST(? AS jsonb)) AS bigint) AS value) AS listed);

UPDATE errors SET
  first_seen = (SELECT min(first_seen) FROM error_groups WHERE error_id = @id),
  last_seen = (SELECT max(last_seen) FROM error_groups WHERE error_id = @id),
  events = (SELECT sum(events) FROM error_groups WHERE error_id = @id),
  users = (SELECT count(DISTINCT user_hash) FROM error_groups JOIN error_users ON group_id = error_groups.id WHERE error_id = @id),
  first_release = (SELECT first_release FROM error_groups WHERE error_id = @id AND first_release IS NOT NULL ORDER BY first_seen, id LIMIT 1),
  last_release = (SELECT last_release FROM error_groups WHERE error_id = @id AND last_release IS NOT NULL ORDER BY last_seen DESC, id DESC LIMIT 1)
  WHERE id = @id;

-- src-main/service/errors/store/release-sessions-store.ts

SELECT * FROM release_sessions WHERE project_id = ? AND session_id = ?;

INSERT INTO release_sessions (project_id, session_id, release, environment, day, sequence, status, errored, received_at)
  VALUES (@projectId, @sessionId, @release, @environment, @day, @sequence, @status, @errored, @receivedAt)
  ON CONFLICT (project_id, session_id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status, errored = excluded.errored, received_at = excluded.received_at;

INSERT INTO release_days (project_id, release, environment, day, sessions, crashed, abnormal, errored)
  VALUES (@projectId, @release, @environment, @day, @sessions, @crashed, @abnormal, @errored)
  ON CONFLICT (project_id, release, environment, day) DO UPDATE SET
  sessions = release_days.sessions + excluded.sessions, crashed = release_days.crashed + excluded.crashed,
  abnormal = release_days.abnormal + excluded.abnormal, errored = release_days.errored + excluded.errored;

INSERT INTO release_users (project_id, release, environment, day, user_hash, crashed)
  VALUES (@projectId, @release, @environment, @day, @userHash, @crashed)
  ON CONFLICT (project_id, release, environment, day, user_hash) DO UPDATE
  SET crashed = max(release_users.crashed, excluded.crashed);

-- src-main/service/errors/store/releases-store.ts

SELECT release, environment, day, sessions, crashed FROM release_days WHERE project_id = ? AND day >= ? ORDER BY day;

SELECT count(*) AS users, ifnull(sum(crashed), 0) AS crashed FROM (SELECT max(crashed) AS crashed FROM release_users WHERE project_id = ? AND release = ? AND environment = ? AND day >= ? GROUP BY user_hash) AS seen;

SELECT day, count(*) AS users, sum(crashed) AS crashed FROM release_users WHERE project_id = ? AND release = ? AND environment = ? AND day >= ? GROUP BY day;

-- src-main/service/errors/store/retention-store.ts

SELECT id, retention_days, most_events, max_bytes FROM projects LEFT JOIN error_tracking_settings ON project_id = projects.id ORDER BY id;

SELECT id, project_id, error_id, first_event_id, first_seen, last_received, events, stored_bytes FROM error_groups WHERE id > ? ORDER BY id LIMIT ?;

SELECT count(*) AS events, ifnull(sum(bytes), 0) AS bytes, max(id) AS last
  FROM (SELECT id, length(payload) + 300 AS bytes FROM error_events WHERE group_id = ? AND id > ? ORDER BY id LIMIT ?) AS counted;

UPDATE error_groups SET stored_bytes = @bytes
  + (SELECT ifnull(sum(length(payload) + 300), 0) FROM error_events WHERE group_id = @group AND id > @upTo)
  + ifnull((SELECT length(payload) FROM error_samples WHERE group_id = @group), 0)
  WHERE id = @group RETURNING stored_bytes;

SELECT id, received_at FROM error_events WHERE group_id = ? AND id <> ? ORDER BY id LIMIT ?;

DELETE FROM error_events WHERE id IN (SELECT id FROM (SELECT id, received_at FROM error_events WHERE group_id = ? AND id <> ? ORDER BY id LIMIT ?) AS oldest WHERE received_at < ?) RETURNING length(payload);

DELETE FROM error_events WHERE id IN (SELECT id FROM (SELECT id, received_at FROM error_events WHERE group_id = ? AND id <> ? ORDER BY id LIMIT ?) AS oldest) RETURNING length(payload);

UPDATE error_groups SET stored_bytes = max(0, stored_bytes - ?) WHERE id = ?;

-- SQLite
DELETE FROM errors WHERE project_id = ? AND id IN (SELECT value FROM json_each(?));
-- PostgreSQL
DELETE FROM errors WHERE project_id = ? AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

SELECT 1 FROM error_hours WHERE group_id = ? AND hour < ? LIMIT 1;

DELETE FROM error_hours WHERE group_id = ? AND hour < ?;

SELECT 1 FROM error_minutes WHERE group_id = ? AND minute < ? LIMIT 1;

DELETE FROM error_minutes WHERE (group_id, minute) IN (SELECT group_id, minute FROM error_minutes WHERE group_id = ? AND minute < ? LIMIT ?);

SELECT id FROM errors WHERE project_id = ? AND status = ? AND last_seen < ?
  AND NOT EXISTS (SELECT 1 FROM error_groups WHERE error_id = errors.id AND last_received >= ?) LIMIT ?;

DELETE FROM ingest_counts WHERE project_id = ? AND hour < ?;

DELETE FROM release_sessions WHERE (project_id, session_id) IN (SELECT project_id, session_id FROM release_sessions WHERE received_at < ? LIMIT ?);

SELECT release, environment, day FROM release_days WHERE project_id = ? AND day < ? LIMIT 1;

DELETE FROM release_users WHERE project_id = @project AND release = @release AND environment = @environment AND day = @day AND user_hash IN (SELECT user_hash FROM release_users WHERE project_id = @project AND release = @release AND environment = @environment AND day = @day LIMIT @most);

DELETE FROM release_days WHERE project_id = @project AND release = @release AND environment = @environment AND day = @day;

-- src-main/service/errors/store/settings-store.ts

SELECT * FROM error_tracking_settings WHERE project_id = ?;

SELECT DISTINCT api_url FROM error_tracking_settings WHERE api_url IS NOT NULL ORDER BY api_url;

INSERT INTO error_tracking_settings
  (project_id, active, integrated, api_url, sealed_token, project_name, organization_name, retention_days, most_events, max_bytes)
  VALUES (@project_id, @active, @integrated, @api_url, @sealed_token, @project_name, @organization_name, @retention_days, @most_events, @max_bytes)
  ON CONFLICT (project_id) DO UPDATE SET active = excluded.active, integrated = excluded.integrated, api_url = excluded.api_url,
  sealed_token = excluded.sealed_token, project_name = excluded.project_name, organization_name = excluded.organization_name,
  retention_days = excluded.retention_days, most_events = excluded.most_events, max_bytes = excluded.max_bytes;

SELECT ifnull(sum(stored_bytes), 0) FROM error_groups WHERE project_id = ?;

-- src-main/service/errors/store/source-maps-store.ts

-- SQLite
DELETE FROM source_maps WHERE project_id = ? AND id IN (SELECT value FROM json_each(?));
-- PostgreSQL
DELETE FROM source_maps WHERE project_id = ? AND id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- SQLite
DELETE FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND name = ? AND debug_id IS ?;
-- PostgreSQL
DELETE FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND name = ? AND debug_id IS NOT DISTINCT FROM ?;

INSERT INTO source_maps (project_id, release, debug_id, name, uploaded_at, size, content) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id, release, debug_id, name, uploaded_at, size;

SELECT id, release, debug_id, name, uploaded_at, size FROM source_maps WHERE project_id = ? ORDER BY id DESC LIMIT ?;

SELECT id FROM source_maps WHERE project_id = ? AND debug_id = ? ORDER BY id DESC LIMIT 1;

-- SQLite
SELECT id FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND name IN (SELECT value FROM json_each(?))
  ORDER BY id DESC LIMIT 1;
-- PostgreSQL
SELECT id FROM source_maps WHERE project_id = ? AND ifnull(release, '') = ifnull(?, '') AND name = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))))
  ORDER BY id DESC LIMIT 1;

SELECT content FROM source_maps WHERE id = ?;

DELETE FROM source_maps WHERE id IN (
  SELECT id FROM (
  SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS bytes FROM source_maps WHERE project_id = @project WINDOW newest AS (ORDER BY id DESC)
  ) AS placed WHERE place > @maps OR bytes > @bytes);

SELECT 1 FROM source_maps WHERE project_id = ? LIMIT 1;

-- src-main/service/errors/store/tag-values-store.ts

UPDATE error_tags SET events = events + ?, last_seen = max(last_seen, ?) WHERE group_id = ? AND tag = ? AND value = ?;

INSERT INTO error_tags (group_id, tag, value, events, last_seen) VALUES (?, ?, ?, ?, ?);

SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE group_id = ? AND tag = ? LIMIT 1000) AS counted;
