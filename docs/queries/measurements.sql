-- src-main/service/measurements/removed/store/moved-rows.ts

INSERT INTO measurements (id, state, title, title_key, owner_id, storage, root, object_key, file_count, total_bytes, problem_count, archive_layout, archive_bytes,
  archive_directory_offset, archive_tag, created_at, registered_at, verified_at, began_at, ended_at) SELECT ?, 'registering', title, title_key, owner_id, storage, root, object_key, file_count, total_bytes, problem_count, archive_layout, archive_bytes,
  archive_directory_offset, archive_tag, created_at, registered_at, verified_at, began_at, ended_at FROM measurements WHERE id = ?;

SELECT max(idx) FROM (SELECT idx FROM measurement_files WHERE measurement_id = ? ORDER BY idx LIMIT ?) AS slice;

INSERT INTO measurement_files (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset, state, problem,
  checked_at, ctime_ns, pieces_sha256)
  SELECT ?, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset, state, problem,
  checked_at, ctime_ns, pieces_sha256 FROM measurement_files WHERE measurement_id = ? AND idx <= ?;

UPDATE measurement_blocks SET measurement_id = ? WHERE measurement_id = ? AND idx <= ?;

UPDATE measurement_pieces SET measurement_id = ? WHERE measurement_id = ? AND idx <= ?;

DELETE FROM measurement_files WHERE measurement_id = ? AND idx <= ?;

UPDATE grants SET measurement_id = ? WHERE measurement_id = ?;

UPDATE measurement_left_out SET measurement_id = ? WHERE measurement_id = ?;

UPDATE object_blocks SET measurement_id = ? WHERE measurement_id = ?;

DELETE FROM measurements WHERE id = ?;

SELECT 1 FROM measurement_files WHERE measurement_id = ? LIMIT 1;

-- src-main/service/measurements/removed/store/removed-store.ts

SELECT removed_measurements.*, kept.title, kept.storage, kept.object_key, kept.file_count, kept.total_bytes,
  owners.username AS owner_username, owners.name AS owner_name, removers.username AS removed_by_username
  FROM removed_measurements JOIN measurements AS kept ON kept.id = kept_id JOIN users AS owners ON owners.id = removed_measurements.owner_id
  LEFT JOIN users AS removers ON removers.id = removed_by WHERE removed_measurements.stage IN ('leaving', 'kept') AND (CAST(@owner AS bigint) IS NULL OR removed_measurements.owner_id = @owner)
  AND (CAST(@name AS text) IS NULL OR measurement_id = @name) ORDER BY removed_at DESC, removed_measurements.id DESC LIMIT @limit OFFSET @offset;

SELECT count(*) FROM removed_measurements WHERE removed_measurements.stage IN ('leaving', 'kept') AND (CAST(@owner AS bigint) IS NULL OR removed_measurements.owner_id = @owner)
  AND (CAST(@name AS text) IS NULL OR measurement_id = @name);

SELECT removed_measurements.*, kept.title, kept.storage, kept.object_key, kept.file_count, kept.total_bytes,
  owners.username AS owner_username, owners.name AS owner_name, removers.username AS removed_by_username
  FROM removed_measurements JOIN measurements AS kept ON kept.id = kept_id JOIN users AS owners ON owners.id = removed_measurements.owner_id
  LEFT JOIN users AS removers ON removers.id = removed_by WHERE removed_measurements.id = ?;

SELECT owner_id, state, registered_at FROM measurements WHERE id = ?;

SELECT id, stage FROM removed_measurements WHERE measurement_id = ? AND stage IN ('leaving', 'restoring');

UPDATE measurements SET state = 'registering' WHERE id = ? AND CASE WHEN measurements.state = 'registering' AND measurements.registered_at IS NOT NULL THEN 'removing' ELSE measurements.state END IN ('registering', 'available', 'degraded');

INSERT INTO removed_measurements (kept_id, measurement_id, owner_id, stage, state, removed_at, removed_by, expires_at)
  VALUES (?, ?, ?, 'leaving', ?, ?, ?, ?) RETURNING id;

-- SQLite
SELECT kept_id, measurement_id, stage, state FROM removed_measurements WHERE id = ?;
-- PostgreSQL
SELECT kept_id, measurement_id, stage, state FROM removed_measurements WHERE id = ? FOR NO KEY UPDATE;

SELECT 1 FROM measurements WHERE lower(id) = lower(?);

UPDATE removed_measurements SET stage = 'kept'
  WHERE id = ? AND stage IN ('leaving');

UPDATE removed_measurements SET stage = 'restoring'
  WHERE id = ? AND stage IN ('kept');

UPDATE removed_measurements SET stage = 'purging'
  WHERE id = ? AND stage IN ('kept');

UPDATE measurements SET state = ? WHERE id = ?;

SELECT removed_measurements.*, kept.title, kept.storage, kept.object_key, kept.file_count, kept.total_bytes,
  owners.username AS owner_username, owners.name AS owner_name, removers.username AS removed_by_username
  FROM removed_measurements JOIN measurements AS kept ON kept.id = kept_id JOIN users AS owners ON owners.id = removed_measurements.owner_id
  LEFT JOIN users AS removers ON removers.id = removed_by WHERE (stage <> 'kept' OR expires_at <= ?) AND removed_measurements.id > ? ORDER BY removed_measurements.id LIMIT ?;

SELECT removed_measurements.*, kept.title, kept.storage, kept.object_key, kept.file_count, kept.total_bytes,
  owners.username AS owner_username, owners.name AS owner_name, removers.username AS removed_by_username
  FROM removed_measurements JOIN measurements AS kept ON kept.id = kept_id JOIN users AS owners ON owners.id = removed_measurements.owner_id
  LEFT JOIN users AS removers ON removers.id = removed_by WHERE stage = 'kept' AND marked = 0 AND kept.object_key IS NOT NULL AND removed_measurements.id > ?
  ORDER BY removed_measurements.id LIMIT ?;

UPDATE removed_measurements SET marked = ? WHERE id = ? AND stage IN ('leaving', 'kept');

SELECT 1 FROM measurements WHERE object_key = ? AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id)
  AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE measurement_id = measurements.id AND stage = 'leaving') LIMIT 1;

SELECT 1 FROM measurements JOIN removed_measurements ON kept_id = measurements.id
  WHERE object_key = ? AND stage IN ('leaving', 'kept') LIMIT 1;

-- src-main/service/measurements/store/access-maintenance-store.ts

SELECT filled_to FROM search_fills WHERE name = 'measurements' AND complete = 0;

SELECT max(number) FROM (SELECT number FROM measurements WHERE number > ? ORDER BY number LIMIT ?) AS step;

-- SQLite
INSERT OR REPLACE INTO measurement_search (rowid, text)
  SELECT number, lower(id) || char(10) || title_key FROM measurements WHERE number > ? AND number <= ?;
-- PostgreSQL
INSERT INTO measurement_search (number, text)
  SELECT number, lower(id) || chr(10) || title_key FROM measurements WHERE number > ? AND number <= ?
  ON CONFLICT (number) DO UPDATE SET text = excluded.text;

UPDATE search_fills SET filled_to = ?, complete = ? WHERE name = 'measurements';

SELECT value FROM settings WHERE key = ?;

INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

UPDATE grants SET until = until WHERE until > ? AND until <= ?;

DELETE FROM measurement_access WHERE (measurement_id, reader) IN
  (SELECT measurement_id, reader FROM measurement_access WHERE until <= ? AND until < 9007199254740991 LIMIT ?);

-- src-main/service/measurements/store/access-readers.ts

SELECT 2 * project_id + 1 AS reader FROM project_members WHERE user_id = ?
  AND EXISTS (SELECT 1 FROM measurement_access WHERE measurement_access.reader = 2 * project_id + 1);

-- src-main/service/measurements/store/block-sums-store.ts

SELECT sums FROM measurement_blocks WHERE measurement_id = ? AND idx = ? AND page = ?;

DELETE FROM measurement_blocks WHERE measurement_id = ? AND idx = ?;

INSERT INTO measurement_blocks (measurement_id, idx, page, sums) VALUES (?, ?, ?, ?);

-- src-main/service/measurements/store/downloads-list-store.ts

SELECT max(id) FROM downloads;

SELECT min(id) FROM downloads;

-- SQLite
SELECT downloads.*, text AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name
  FROM downloads LEFT JOIN user_agents ON user_agents.id = downloads.user_agent_id LEFT JOIN users ON users.id = downloads.user_id
  LEFT JOIN personal_access_tokens ON personal_access_tokens.id = downloads.token_id LEFT JOIN oauth_applications ON oauth_applications.id = downloads.application_id WHERE downloads.id IN (SELECT value FROM json_each(?)) ORDER BY downloads.id DESC;
-- PostgreSQL
SELECT downloads.*, text AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name
  FROM downloads LEFT JOIN user_agents ON user_agents.id = downloads.user_agent_id LEFT JOIN users ON users.id = downloads.user_id
  LEFT JOIN personal_access_tokens ON personal_access_tokens.id = downloads.token_id LEFT JOIN oauth_applications ON oauth_applications.id = downloads.application_id WHERE downloads.id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint)) ORDER BY downloads.id DESC;

SELECT downloads.*, text AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name
  FROM downloads LEFT JOIN user_agents ON user_agents.id = downloads.user_agent_id LEFT JOIN users ON users.id = downloads.user_id
  LEFT JOIN personal_access_tokens ON personal_access_tokens.id = downloads.token_id LEFT JOIN oauth_applications ON oauth_applications.id = downloads.application_id WHERE downloads.id = ?;

SELECT page.*, text AS user_agent, users.username, personal_access_tokens.name AS token_name, oauth_applications.name AS application_name, measurement_files.path
  FROM (SELECT * FROM transfers WHERE measurement_id = @measurement AND id BETWEEN @first AND @last AND download_id = @id ORDER BY id LIMIT @limit OFFSET @offset) AS page
  LEFT JOIN user_agents ON user_agents.id = page.user_agent_id LEFT JOIN users ON users.id = page.user_id
  LEFT JOIN personal_access_tokens ON personal_access_tokens.id = page.token_id LEFT JOIN oauth_applications ON oauth_applications.id = page.application_id
  LEFT JOIN measurement_files ON measurement_files.measurement_id = page.measurement_id AND measurement_files.idx = page.file_index ORDER BY page.id;

SELECT count(*) FROM transfers WHERE measurement_id = @measurement AND id BETWEEN @first AND @last AND download_id = @id;

-- src-main/service/measurements/store/file-list.ts

-- SQLite
SELECT * FROM measurement_files WHERE measurement_id = ? AND idx IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT * FROM measurement_files WHERE measurement_id = ? AND idx = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- SQLite
SELECT idx, path, state FROM measurement_files WHERE measurement_id = ? AND idx IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT idx, path, state FROM measurement_files WHERE measurement_id = ? AND idx = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

SELECT idx AS "key", idx AS id FROM measurement_files WHERE measurement_id = ? AND idx > ? AND state <> 'ok' ORDER BY idx LIMIT ?;

-- src-main/service/measurements/store/file-orders-store.ts

SELECT max(idx) FROM measurement_files WHERE measurement_id = ?;

SELECT block, indexes FROM file_orders WHERE measurement_id = ? AND sort = ? AND block BETWEEN ? AND ?;

SELECT 1 FROM file_orders WHERE measurement_id = ? AND sort = ? AND block = ?;

SELECT created_at FROM measurements WHERE id = ? AND state <> 'registering';

SELECT idx, path, length FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ?;

INSERT INTO file_orders (measurement_id, sort, block, indexes) VALUES (?, ?, ?, ?)
  ON CONFLICT (measurement_id, sort, block) DO UPDATE SET indexes = excluded.indexes;

-- src-main/service/measurements/store/files-store.ts

SELECT * FROM measurement_files WHERE measurement_id = ? AND idx = ?;

SELECT * FROM measurement_files WHERE measurement_id = ? AND idx >= ? ORDER BY idx LIMIT ?;

SELECT * FROM measurement_files WHERE measurement_id = ? AND idx >= ? AND state <> 'ok' ORDER BY idx LIMIT ?;

SELECT * FROM measurement_files WHERE measurement_id = ? AND archive_offset <= ? ORDER BY archive_offset DESC LIMIT 1;

SELECT idx, path, location, length, crc32, mtime_ns, registered_at, archive_offset, directory_offset FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ?;

SELECT idx FROM measurement_files WHERE measurement_id = ? AND archive_offset <= ? ORDER BY archive_offset DESC LIMIT 1;

SELECT directory_offset FROM measurement_files WHERE measurement_id = ? AND idx = ?;

SELECT path FROM measurement_files WHERE measurement_id = ? AND idx = ?;

-- SQLite
SELECT idx, archive_offset, directory_offset FROM measurement_files WHERE measurement_id = ? AND idx IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT idx, archive_offset, directory_offset FROM measurement_files WHERE measurement_id = ? AND idx = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

UPDATE measurement_files SET state = ?, problem = ?, checked_at = ? WHERE measurement_id = ? AND idx = ?;

SELECT count(*) FROM measurement_files WHERE measurement_id = ? AND state <> 'ok';

UPDATE measurements SET problem_count = ?, state = ? WHERE id = ? AND (problem_count <> ? OR state <> ?);

SELECT CASE WHEN measurements.state = 'registering' AND measurements.registered_at IS NOT NULL THEN 'removing' ELSE measurements.state END FROM measurements WHERE id = ?;

-- src-main/service/measurements/store/folders-store.ts

-- SQLite
SELECT * FROM measurement_files WHERE measurement_id = ? AND idx IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT * FROM measurement_files WHERE measurement_id = ? AND idx = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

SELECT path FROM measurement_files WHERE measurement_id = ? AND idx = ?;

SELECT length, archive_offset, directory_offset FROM measurement_files WHERE measurement_id = ? AND idx = ?;

SELECT count(*) FROM measurement_files WHERE measurement_id = ? AND idx BETWEEN ? AND ? AND state <> 'ok';

-- src-main/service/measurements/store/grants-store.ts

INSERT INTO grants (measurement_id, user_id, project_id, everyone, until, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (measurement_id, ifnull(user_id, 0), ifnull(project_id, 0), everyone) DO UPDATE SET until = excluded.until RETURNING *;

SELECT 1 FROM grants WHERE measurement_id = ? AND project_id = ?;

SELECT 1 FROM measurements WHERE id = ? AND state <> 'registering';

DELETE FROM grants WHERE measurement_id = ? AND id = ?;

DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE user_id = ? LIMIT ?);

SELECT grants.*, username, projects.path AS project_path FROM grants
  LEFT JOIN users ON users.id = grants.user_id LEFT JOIN projects ON projects.id = project_id WHERE measurement_id = ? AND ifnull(substr(projects.path, 1, 1), '') <> '-' ORDER BY grants.id;

SELECT grants.*, username, projects.path AS project_path FROM grants
  LEFT JOIN users ON users.id = grants.user_id LEFT JOIN projects ON projects.id = project_id WHERE measurement_id = ? AND grants.id = ? AND ifnull(substr(projects.path, 1, 1), '') <> '-';

SELECT count(*) AS holds, max(until) AS latest, max(CASE WHEN until IS NULL THEN 1 ELSE 0 END) AS endless FROM grants
  WHERE measurement_id = ? AND (until IS NULL OR until > ?)
  AND (everyone = 1 OR user_id = ? OR project_id IN (SELECT project_id FROM project_members WHERE project_members.user_id = ?));

-- src-main/service/measurements/store/left-out-store.ts

INSERT INTO measurement_left_out (measurement_id, total, names) VALUES (?, ?, ?)
  ON CONFLICT (measurement_id) DO UPDATE SET total = excluded.total, names = excluded.names;

SELECT total, names FROM measurement_left_out WHERE measurement_id = ?;

-- src-main/service/measurements/store/library-use.ts

SELECT 1 FROM measurement_files JOIN measurements ON measurements.id = measurement_id AND storage = 'library' WHERE location = ? LIMIT 1;

-- src-main/service/measurements/store/measurement-search.ts

-- SQLite
SELECT rowid FROM measurement_search WHERE measurement_search MATCH @query LIMIT @limit;
-- PostgreSQL
SELECT number FROM measurement_search WHERE text LIKE @pattern LIMIT @limit;

SELECT 1 FROM search_fills WHERE name = 'measurements' AND complete = 1;

-- SQLite
SELECT id FROM measurements WHERE id IN (SELECT value FROM json_each(@ids)) AND (instr(lower(id), @text) > 0 OR instr(title_key, @text) > 0);
-- PostgreSQL
SELECT id FROM measurements WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb)))) AND (instr(lower(id), @text) > 0 OR instr(title_key, @text) > 0);

-- src-main/service/measurements/store/measurements-store.ts

SELECT * FROM measurements WHERE id = ?;

SELECT measurements.*, username AS owner_username, users.name AS owner_name FROM measurements JOIN users ON users.id = owner_id WHERE measurements.id = ?;

-- SQLite
SELECT measurements.*, username AS owner_username, users.name AS owner_name FROM json_each(?) AS listed CROSS JOIN measurements ON measurements.id = listed.value
  JOIN users ON users.id = owner_id;
-- PostgreSQL
SELECT measurements.*, username AS owner_username, users.name AS owner_name FROM (SELECT jsonb_array_elements_text(CAST(? AS jsonb)) AS value) AS listed JOIN measurements ON measurements.id = listed.value
  JOIN users ON users.id = owner_id;

SELECT id FROM measurements WHERE storage = 'library' AND object_key IS NULL AND state <> 'registering' LIMIT 1;

UPDATE measurements SET title = ?, title_key = ? WHERE id = ?;

DELETE FROM measurements WHERE id = ?;

-- src-main/service/measurements/store/objects-store.ts

SELECT sums FROM object_blocks WHERE measurement_id = ? AND page = ?;

UPDATE measurements SET object_key = ? WHERE id = ?;

DELETE FROM object_blocks WHERE measurement_id = ?;

INSERT INTO object_blocks (measurement_id, page, sums) VALUES (?, ?, ?);

DELETE FROM removed_objects WHERE object_key = ?;

DELETE FROM removed_objects WHERE object_key = ?
  AND NOT EXISTS (SELECT 1 FROM measurements WHERE measurements.object_key = removed_objects.object_key)
  AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.object_key = removed_objects.object_key AND ended_at IS NULL);

SELECT idx, location FROM measurement_files WHERE measurement_id = ? AND location <> '' ORDER BY idx LIMIT ?;

-- SQLite
UPDATE measurement_files SET location = '' WHERE measurement_id = @id AND idx = @index;
-- PostgreSQL
UPDATE measurement_files SET location = '' FROM json_to_recordset(CAST(@rows AS json)) AS x (id text, index bigint) WHERE measurement_id = x.id AND idx = x.index;

UPDATE measurements SET object_key = NULL WHERE id = ?;

SELECT 1 FROM measurements WHERE object_key IS NOT NULL AND state <> 'registering' LIMIT 1;

SELECT object_key, measurement_id, length FROM removed_objects
  WHERE removed_at < ? AND NOT EXISTS (
  SELECT 1 FROM measurements WHERE id = measurement_id AND state = 'registering')
  AND NOT EXISTS (SELECT 1 FROM measurements WHERE object_key = removed_objects.object_key)
  AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.object_key = removed_objects.object_key AND ended_at IS NULL)
  ORDER BY removed_at, object_key LIMIT ?;

INSERT INTO removed_objects (object_key, measurement_id, length, removed_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (object_key) DO UPDATE SET removed_at = excluded.removed_at;

INSERT INTO removed_objects (object_key, measurement_id, length, removed_at)
  SELECT object_key, ifnull(measurement_id, measurements.id), archive_bytes, ifnull(removed_at, ?)
  FROM measurements LEFT JOIN removed_measurements ON kept_id = measurements.id
  WHERE measurements.id = ? AND object_key IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM measurements AS other WHERE other.object_key = measurements.object_key AND other.id <> measurements.id)
  ON CONFLICT (object_key) DO NOTHING;

-- src-main/service/measurements/store/pieces-store.ts

SELECT hashes FROM measurement_pieces WHERE measurement_id = ? AND idx = ? AND page = ?;

DELETE FROM measurement_pieces WHERE measurement_id = ? AND idx = ?;

INSERT INTO measurement_pieces (measurement_id, idx, page, hashes) VALUES (?, ?, ?, ?);

-- src-main/service/measurements/store/quotas-store.ts

SELECT quota_bytes AS quota, CAST(ifnull((SELECT sum(total_bytes) FROM measurements WHERE storage = 'library' AND owner_id = @id AND state <> 'registering'), 0) AS bigint) AS available,
  CAST(ifnull((SELECT sum(ifnull(reserved_bytes, ifnull(length, 0))) FROM uploads
  WHERE problem IS NULL AND (ended_at IS NULL OR EXISTS (
  SELECT 1 FROM measurements WHERE id = uploads.measurement_id AND state = 'registering')) AND owner_id = @id), 0) AS bigint) AS unfinished, CAST(ifnull((SELECT sum(total_bytes) FROM measurements WHERE storage = 'library' AND owner_id = @id AND EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id)), 0) AS bigint) AS removed
  FROM users WHERE id = @id;

SELECT quota_bytes AS quota, CAST(ifnull((SELECT sum(total_bytes) FROM measurements WHERE storage = 'library' AND id IN (SELECT measurement_id FROM grants WHERE project_id = @id) AND state <> 'registering'), 0) AS bigint) AS available,
  CAST(ifnull((SELECT sum(ifnull(reserved_bytes, ifnull(length, 0))) FROM uploads
  WHERE problem IS NULL AND (ended_at IS NULL OR EXISTS (
  SELECT 1 FROM measurements WHERE id = uploads.measurement_id AND state = 'registering')) AND project_id = @id), 0) AS bigint) AS unfinished, CAST(ifnull((SELECT sum(total_bytes) FROM measurements WHERE storage = 'library' AND id IN (SELECT measurement_id FROM grants WHERE project_id = @id) AND EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id)), 0) AS bigint) AS removed
  FROM projects WHERE id = @id;

SELECT quota_bytes FROM users WHERE id = ? AND quota_bytes IS NOT NULL;

SELECT quota_bytes FROM projects WHERE id = ? AND quota_bytes IS NOT NULL;

UPDATE users SET quota_bytes = ? WHERE id = ?;

UPDATE projects SET quota_bytes = ? WHERE id = ?;

SELECT id, owner_id AS owner, project_id AS project, ifnull(reserved_bytes, ifnull(length, 0)) AS taken
  FROM uploads WHERE measurement_id = ? AND problem IS NULL ORDER BY created_at DESC LIMIT 1;

UPDATE uploads SET reserved_bytes = ? WHERE id = ?;

-- src-main/service/measurements/store/registration-store.ts

SELECT 1 FROM measurements WHERE lower(id) = lower(?);

INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, created_at) VALUES (?, ?, ?, ?, ?, ?, 'registering', ?);

SELECT id FROM measurements WHERE state = 'registering' AND (CASE WHEN measurements.state = 'registering' AND measurements.registered_at IS NOT NULL THEN 'removing' ELSE measurements.state END = 'removing' OR created_at < ? AND NOT EXISTS (
  SELECT 1 FROM jobs WHERE measurement_id = measurements.id AND kind = 'register' AND jobs.state IN ('queued', 'running', 'paused')))
  AND NOT EXISTS (SELECT 1 FROM removed_measurements WHERE kept_id = measurements.id
  OR measurement_id = measurements.id AND stage IN ('leaving', 'restoring'));

SELECT idx, path, source, length, mtime_ns FROM registration_files WHERE job_id = ? AND idx >= ? ORDER BY idx LIMIT ?;

SELECT count(*) AS files, ifnull(sum(length), 0) AS bytes FROM registration_files WHERE job_id = ?;

SELECT min(at) AS began, max(at) AS ended
  FROM (SELECT CASE WHEN length(mtime_ns) = 18 OR length(mtime_ns) = 19 AND mtime_ns < '9' THEN CAST(mtime_ns AS bigint) / 1000000 END AS at FROM registration_files WHERE job_id = ?) AS times WHERE at BETWEEN ? AND ?;

UPDATE measurements SET began_at = ?, ended_at = ? WHERE id = ?;

DELETE FROM registration_files WHERE job_id = ?
  AND idx < (SELECT min(idx) FROM registration_files WHERE job_id = ?) + ?;

SELECT idx, path, location, length, mtime_ns FROM measurement_files WHERE measurement_id = ? AND idx >= ? ORDER BY idx LIMIT ?;

UPDATE measurement_files SET location = ?, length = ?, crc32 = ?, sha256 = ?, pieces_sha256 = ?, mtime_ns = ?, ctime_ns = ?, registered_at = ? WHERE measurement_id = ? AND idx = ?;

-- SQLite
UPDATE measurement_files SET archive_offset = @archiveOffset, directory_offset = @directoryOffset WHERE measurement_id = @id AND idx = @index;
-- PostgreSQL
UPDATE measurement_files SET archive_offset = x."archiveOffset", directory_offset = x."directoryOffset"
  FROM json_to_recordset(CAST(@rows AS json)) AS x (id text, "archiveOffset" bigint, "directoryOffset" bigint, index bigint) WHERE measurement_id = x.id AND idx = x.index;

DELETE FROM measurement_files WHERE measurement_id = ?
  AND idx IN (SELECT idx FROM measurement_files WHERE measurement_id = ? ORDER BY idx DESC LIMIT ?) RETURNING location;

UPDATE measurements SET file_count = ?, total_bytes = ?, archive_layout = ?, archive_bytes = ?, archive_directory_offset = ?, archive_tag = ? WHERE id = ?;

UPDATE measurements SET state = 'available', registered_at = ?, verified_at = ? WHERE id = ? AND CASE WHEN measurements.state = 'registering' AND measurements.registered_at IS NOT NULL THEN 'removing' ELSE measurements.state END IN ('registering');

UPDATE measurements SET state = 'registering', registered_at = ifnull(registered_at, ?) WHERE id = ? AND CASE WHEN measurements.state = 'registering' AND measurements.registered_at IS NOT NULL THEN 'removing' ELSE measurements.state END IN ('registering', 'available', 'degraded');

SELECT project_id FROM grants WHERE measurement_id = ? AND project_id IS NOT NULL;

SELECT state, registered_at FROM measurements WHERE id = ?;

UPDATE measurement_files SET mtime_ns = ? WHERE location = ?
  AND EXISTS (SELECT 1 FROM measurements WHERE id = measurement_files.measurement_id AND storage = 'library');

UPDATE measurement_files SET mtime_ns = ?, ctime_ns = ? WHERE measurement_id = ? AND idx = ?;

UPDATE measurements SET verified_at = ? WHERE id = ?;

SELECT id FROM measurements WHERE state <> 'registering' AND ifnull(verified_at, 0) < ?
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE measurement_id = measurements.id AND kind = 'verify' AND jobs.created_at > ?)
  ORDER BY ifnull(verified_at, 0), id LIMIT 1;

-- src-main/service/measurements/store/upload-parts-store.ts

SELECT tail_bytes, number, etag, member, member_offset, line, position, crc32
  FROM uploads LEFT JOIN upload_parts ON upload_id = id
  WHERE id = ? ORDER BY ifnull(number, 0) DESC LIMIT 1;

SELECT etag FROM upload_parts WHERE upload_id = ? ORDER BY number;

SELECT number, etag, position FROM upload_parts WHERE upload_id = ? ORDER BY number;

UPDATE uploads SET object_upload = @objectUpload WHERE id = @id AND writer = @writer AND ended_at IS NULL;

UPDATE uploads SET tail_bytes = @bytes WHERE id = @id AND writer = @writer AND ended_at IS NULL;

INSERT INTO upload_parts (upload_id, number, etag, member, member_offset, line, position, crc32)
  VALUES (@id, @number, @etag, @member, @member_offset, @line, @position, @crc32)
  ON CONFLICT (upload_id, number) DO UPDATE SET etag = excluded.etag;

-- src-main/service/measurements/store/uploads-store.ts

INSERT INTO uploads (id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, archive_tag, file_count, directory_offset, files_from, files_to, object_key)
  VALUES (@id, @measurement_id, @title, @owner_id, @project_id, @file_name, @length, @now, @now, @archive_tag, @file_count, @directory_offset, @files_from, @files_to, @object_key)
  ON CONFLICT DO NOTHING RETURNING id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload;

SELECT id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload FROM uploads WHERE id = ?;

SELECT id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload FROM uploads WHERE lower(measurement_id) = lower(?) AND ended_at IS NULL;

SELECT id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload FROM uploads WHERE owner_id = ? AND ended_at IS NULL ORDER BY created_at, id LIMIT ?;

SELECT count(*) AS count, ifnull(sum(CASE WHEN object_key IS NOT NULL THEN 0 WHEN archive_tag IS NULL THEN 2 * length ELSE length END), 0) AS bytes
  FROM uploads WHERE owner_id = ? AND ended_at IS NULL;

UPDATE uploads SET writer = @writer, writer_until = @until
  WHERE id = @id AND ended_at IS NULL AND (writer IS NULL OR writer = @writer OR writer_until < @now);

UPDATE uploads SET writer = NULL, touched_at = ? WHERE id = ? AND writer = ?;

UPDATE uploads SET writer = NULL WHERE writer IS NOT NULL;

UPDATE uploads SET length = ? WHERE id = ?;

UPDATE uploads SET job_id = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL;

UPDATE uploads SET problem = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL;

SELECT id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload FROM uploads WHERE touched_at < ? AND (ended_at IS NULL OR ended_at < ?) ORDER BY touched_at LIMIT ?;

SELECT id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload FROM uploads WHERE ended_at IS NULL AND length IS NOT NULL AND touched_at < ? ORDER BY touched_at DESC LIMIT ?;

SELECT id, measurement_id, title, owner_id, project_id, file_name, length, created_at, touched_at, ended_at, job_id, problem, archive_tag, file_count, directory_offset, files_from, files_to, object_key, object_upload FROM uploads WHERE object_key IS NOT NULL AND ended_at IS NOT NULL ORDER BY ended_at LIMIT ?;

UPDATE uploads SET object_key = NULL WHERE id = ?;

DELETE FROM uploads WHERE id = ?;
