-- src-main/service/projects/hidden-projects-store.ts

SELECT id FROM projects WHERE substr(path, 1, 1) = '-';

SELECT id FROM errors WHERE project_id = ? LIMIT ?;

DELETE FROM projects WHERE id = ?;

DELETE FROM grants WHERE (id) IN (SELECT id FROM grants WHERE project_id = ? LIMIT 50);

DELETE FROM source_maps WHERE (id) IN (SELECT id FROM source_maps WHERE project_id = ? LIMIT 2);

DELETE FROM release_sessions WHERE (project_id, session_id) IN (SELECT project_id, session_id FROM release_sessions WHERE project_id = ? LIMIT 200);

DELETE FROM release_users WHERE (project_id, release, environment, day, user_hash) IN (SELECT project_id, release, environment, day, user_hash FROM release_users WHERE project_id = ? LIMIT 200);

DELETE FROM release_days WHERE (project_id, release, environment, day) IN (SELECT project_id, release, environment, day FROM release_days WHERE project_id = ? LIMIT 200);

DELETE FROM ingest_counts WHERE (project_id, hour, outcome) IN (SELECT project_id, hour, outcome FROM ingest_counts WHERE project_id = ? LIMIT 200);

-- src-main/service/projects/members-store.ts

-- SQLite
SELECT users.id, username, users.name, users.state, role FROM project_members JOIN users ON users.id = user_id WHERE project_id = ? ORDER BY username;
-- PostgreSQL
SELECT users.id, username, users.name, users.state, role FROM project_members JOIN users ON users.id = user_id WHERE project_id = ? ORDER BY lower(username);

INSERT INTO project_members (project_id, user_id, role) VALUES (?, ?, ?)
  ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role WHERE excluded.role = 'owner' OR (project_members.role <> 'owner' OR EXISTS (SELECT 1 FROM project_members AS other
  WHERE other.project_id = project_members.project_id AND other.role = 'owner' AND other.user_id <> project_members.user_id));

DELETE FROM project_members WHERE project_id = ? AND user_id = ? AND (project_members.role <> 'owner' OR EXISTS (SELECT 1 FROM project_members AS other
  WHERE other.project_id = project_members.project_id AND other.role = 'owner' AND other.user_id <> project_members.user_id));

-- src-main/service/projects/projects-store.ts

INSERT INTO projects (path, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING *;

SELECT * FROM projects WHERE id = ? AND substr(projects.path, 1, 1) <> '-';

-- SQLite
SELECT * FROM projects WHERE path = ? AND substr(projects.path, 1, 1) <> '-';
-- PostgreSQL
SELECT * FROM projects WHERE lower(path) = lower(?) AND substr(projects.path, 1, 1) <> '-';

-- SQLite
SELECT * FROM projects WHERE substr(projects.path, 1, 1) <> '-' AND (path LIKE @pattern ESCAPE '\' OR (name LIKE @pattern ESCAPE '\' OR (@pattern GLOB '*[^ -~]*' AND folded(substr(name, 1, 500)) LIKE folded(@pattern) ESCAPE '\')))
  AND (CAST(@member AS bigint) IS NULL OR EXISTS (SELECT 1 FROM project_members WHERE project_id = projects.id AND user_id = @member)) ORDER BY path LIMIT @limit;
-- PostgreSQL
SELECT * FROM projects WHERE substr(projects.path, 1, 1) <> '-' AND (path ILIKE @pattern ESCAPE '\' OR (name ILIKE @pattern ESCAPE '\' OR (@pattern ~ '[^ -~]' AND folded(substr(name, 1, 500)) LIKE folded(@pattern) ESCAPE '\')))
  AND (CAST(@member AS bigint) IS NULL OR EXISTS (SELECT 1 FROM project_members WHERE project_id = projects.id AND user_id = @member)) ORDER BY lower(path) LIMIT @limit;

-- SQLite
SELECT projects.*, role, ifnull(active, 0) AS active, ifnull(integrated, 1) AS integrated,
  (SELECT count(*) FROM errors WHERE errors.project_id = projects.id AND status = 'unresolved') AS unresolved
  FROM projects LEFT JOIN project_members ON project_members.project_id = projects.id AND user_id = @user
  LEFT JOIN error_tracking_settings AS settings ON settings.project_id = projects.id WHERE substr(projects.path, 1, 1) <> '-' AND (@all = 1 OR role IS NOT NULL) ORDER BY path;
-- PostgreSQL
SELECT projects.*, role, ifnull(active, 0) AS active, ifnull(integrated, 1) AS integrated,
  (SELECT count(*) FROM errors WHERE errors.project_id = projects.id AND status = 'unresolved') AS unresolved
  FROM projects LEFT JOIN project_members ON project_members.project_id = projects.id AND user_id = @user
  LEFT JOIN error_tracking_settings AS settings ON settings.project_id = projects.id WHERE substr(projects.path, 1, 1) <> '-' AND (@all = 1 OR role IS NOT NULL) ORDER BY lower(path);

SELECT projects.*, role, ifnull(active, 0) AS active, ifnull(integrated, 1) AS integrated,
  (SELECT count(*) FROM errors WHERE errors.project_id = projects.id AND status = 'unresolved') AS unresolved
  FROM projects LEFT JOIN project_members ON project_members.project_id = projects.id AND user_id = @user
  LEFT JOIN error_tracking_settings AS settings ON settings.project_id = projects.id WHERE substr(projects.path, 1, 1) <> '-' AND projects.id = @project;

UPDATE projects SET name = ?, monitor = ? WHERE id = ?;

UPDATE projects SET path = ?, monitor = 0 WHERE id = ?;

INSERT INTO project_members (project_id, user_id, role) VALUES (?, ?, ?) ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role;

SELECT role FROM project_members WHERE project_id = ? AND user_id = ?;

-- SQLite
SELECT projects.*, role FROM project_members JOIN projects ON projects.id = project_id
  WHERE user_id = ? ORDER BY path;
-- PostgreSQL
SELECT projects.*, role FROM project_members JOIN projects ON projects.id = project_id
  WHERE user_id = ? ORDER BY lower(path);

DELETE FROM project_members WHERE project_id = ?;

DELETE FROM client_keys WHERE project_id = ?;

DELETE FROM error_tracking_settings WHERE project_id = ?;

DELETE FROM notification_rules WHERE project_id = ?;
