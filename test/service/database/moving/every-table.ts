import type { SqliteConnection } from '../../../../src-main/service/database/sqlite/sqlite-file.ts';

const longest = 'Ä'.repeat(300);
// More than two pages of a move.
const numbers = JSON.stringify(Array.from({ length: 1200 }, (_, at) => at + 1));

/**
 * Rows for the tables that a service without clients leaves empty, with what engines may treat
 * differently: NULL, empty texts and bytes, letters beyond ASCII, the largest and negative numbers,
 * ids with gaps, rows whose order by id is not that of their time. The user 1 and a measurement are
 * there.
 */
export function fillEveryTable(connection: SqliteConnection): void {
  connection.pragma('foreign_keys = ON');
  connection.exec(`
INSERT INTO users (id, username, name, email, password_hash, created_at, email_key) VALUES
  (40, 'Bob', 'Bob Ünal 🔬', 'Bob@Example.org', NULL, 9007199254740991, 'bob@example.org'), (41, 'gone', '', NULL, NULL, 0, NULL);
DELETE FROM users WHERE id = 41;
INSERT INTO projects (id, path, name, created_at) VALUES (7, 'Lab/Ofen', 'Öfen', 5), (9, 'lab/two', '', -1);
INSERT INTO project_members VALUES (7, 40, 'owner'), (7, 1, 'reporter');
INSERT INTO known_places VALUES (40, '2001:db8::/64', 3);
INSERT INTO recovery_codes (user_id, code_hash, used_at) VALUES (40, x'', NULL), (40, x'00ff', 4);
INSERT INTO sessions (user_id, token_hash, created_at, expires_at, last_used_at) VALUES (40, x'010203', 1, 2, 3);
INSERT INTO settings VALUES ('zz.text', 'a' || char(10) || '${longest}'), ('ZZ', ''), ('ä', 'e' || char(769));
INSERT INTO sign_in_failures VALUES (40, '', 3, 4, NULL);
INSERT INTO short_lived VALUES ('consent', x'ff', 40, x'00', 9007199254740991), ('consent', x'00ff', 40, x'', 1);
INSERT INTO totp_keys VALUES (40, x'0102', 1, NULL, 0);
INSERT INTO webauthn_keys (user_id, name, credential_id, public_key, counter, transports, created_at) VALUES (40, 'key', x'aa', x'bb', 4294967296, 'usb', 1);
INSERT INTO personal_access_tokens (id, user_id, name, scopes, token_hash, created_at) VALUES (77, 40, 'T', 'api', x'77', 1);

INSERT INTO measurements (id, title, owner_id, storage, root, state, created_at, title_key) VALUES
  ('z-last', 'Zuletzt', 40, 'library', '', 'available', 1, folded_key('Zuletzt')),
  ('removed', 'Removed', 40, 'library', '', 'available', 2, folded_key('Removed')),
  ('A-first', 'Ångström 🔭', 40, 'reference', '/data/ä', 'degraded', 3, folded_key('Ångström 🔭')),
  ('on-its-way', 'Kommt', 40, 'library', '', 'registering', 4, folded_key('Kommt'));
DELETE FROM measurements WHERE id = 'removed';
INSERT INTO measurement_files (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset, problem)
  SELECT 'A-first', value, 'Ordner/ü' || value, 'ü' || value, value, 4294967295, zeroblob(32), '1700000000000000001', 1, value, value, iif(value % 2, NULL, '')
  FROM json_each('${numbers}');
INSERT INTO measurement_blocks VALUES ('A-first', 3, 0, x'00'), ('A-first', 3, 1, x'0001');
UPDATE measurement_files SET pieces_sha256 = zeroblob(32) WHERE measurement_id = 'A-first' AND idx = 3;
INSERT INTO measurement_pieces VALUES ('A-first', 3, 0, x'00'), ('A-first', 3, 1, x'0001');
INSERT INTO object_blocks VALUES ('z-last', 0, x'00000001'), ('z-last', 1, x'ff');
UPDATE measurements SET object_key = 'measurements/ab/abc.zip' WHERE id = 'z-last';
INSERT INTO measurements (id, title, owner_id, storage, root, state, created_at, title_key) VALUES
  ('-1b4e28ba-2fa1-4d2b-883f-0016d3cca427', 'Entfernt', 40, 'library', '', 'registering', 5, folded_key('Entfernt'));
INSERT INTO removed_measurements VALUES
  (9, '-1b4e28ba-2fa1-4d2b-883f-0016d3cca427', 'Gone-before', 40, 'kept', 'degraded', 1, NULL, 9007199254740991, 1);
INSERT INTO removed_objects VALUES ('measurements/cd/cde.zip', 'gone', 9007199254740991, 5);
INSERT INTO receipts VALUES (3, 'A-first', 40, 'ab', 9007199254740991, 'e30.e30.x');
INSERT INTO measurement_left_out VALUES ('A-first', 2, '["a","b"]');
INSERT INTO file_orders VALUES ('A-first', 'size', 0, x'0000'), ('A-first', 'path', 1, x'ff'), ('A-first', 'path', 0, x'80');
INSERT INTO grants (id, measurement_id, user_id, project_id, everyone, until, created_at, created_by) VALUES
  (5, 'A-first', 40, NULL, 0, NULL, 1, 1), (6, 'A-first', NULL, 7, 0, 9007199254740000, 1, NULL), (8, 'z-last', NULL, NULL, 1, NULL, 1, 40);
INSERT INTO jobs (id, kind, measurement_id, user_id, parameters, state, created_at) VALUES (12, 'register', 'on-its-way', 40, '{"path":"/ä"}', 'paused', 3), (13, 'backup', '', NULL, '{}', 'done', 4);
INSERT INTO registration_files VALUES (12, 0, 'a', '/ä/a', 1, '1'), (12, 1, 'b', '/ä/b', 2, '2');
INSERT INTO transfers (id, started_at, measurement_id, what, status) VALUES (100, 9, 'A-first', 'file', 206), (90, 10, 'A-first', 'archive', 200);
INSERT INTO user_agents (id, text, used_at) VALUES (3, 'curl/8', 1), (2, 'Wget', 2);
INSERT INTO downloads (id, started_at, last_at, user_id, measurement_id, file_count, files_whole, as_archive, requests, bytes_sent, outcome, first_transfer_id, last_transfer_id)
  VALUES (50, 1, 2, 40, 'A-first', 1, 1, 0, 1, 9007199254740991, 'whole', 90, 100);
INSERT INTO audit_events (id, at, user_id, action, subject, detail) VALUES (5000, 1, NULL, 'user.create', 'gone', NULL), (4000, 2, 40, 'x', '', '');
DELETE FROM audit_events WHERE id = 5000;

INSERT INTO oauth_applications (id, owner_id, name, client_id, secret_hash, redirect_uris, scopes, confidential, created_at, updated_at) VALUES
  (2, 40, 'App', 'client', NULL, 'https://example.org/' || char(10) || 'https://example.com/', 'api', 0, 1, 1);
INSERT INTO oauth_grants (id, application_id, user_id, kind, scopes, created_at, expires_at) VALUES (3, 2, 40, 'code', 'api', 1, 2), (4, NULL, 40, 'password', 'api', 1, 2);
INSERT INTO oauth_codes (code_hash, grant_id, redirect_uri, signed_in_at, expires_at) VALUES (x'ff00', 3, 'https://example.org/', 1, 2), (x'00', 3, '', 1, 2);
INSERT INTO oauth_device_codes (application_id, device_code_hash, user_code_hash, scopes, created_at, expires_at, interval_seconds) VALUES (2, x'01', x'02', 'api', 1, 2, 5);
INSERT INTO oauth_tokens (id, grant_id, access_hash, refresh_hash, scopes, created_at, expires_at, previous_id) VALUES
  (10, 3, x'0a', x'1a', 'api', 1, 2, NULL), (11, 3, x'0b', NULL, 'api', 1, 2, 10);

INSERT INTO client_keys (project_id, public_key, created_at) VALUES (7, 'abc', 1);
INSERT INTO errors (id, project_id, type, value, culprit, level, platform, first_seen, last_seen, events) VALUES (20, 7, 'Ö', '', 'c', 'error', 'python', 1, 2, 3);
INSERT INTO error_groups (id, project_id, error_id, version, key_hash, first_seen, last_seen, events) VALUES (21, 7, 20, 1, x'00', 1, 2, 3);
INSERT INTO error_events (id, project_id, group_id, event_id, received_at, occurred_at, level, environment, payload)
  SELECT value * 2, 7, 21, randomblob(16), value, -value, 'error', iif(value % 3, NULL, 'ä'), randomblob(value % 50) FROM json_each('${numbers}');
INSERT INTO error_hours VALUES (21, 500000, 3);
INSERT INTO error_minutes VALUES (21, 30000000, 3);
INSERT INTO error_samples VALUES (21, zeroblob(5000000));
INSERT INTO error_tags VALUES (21, 'os', 'Windows', 1, 2), (21, 'os', '', 1, 2), (21, 'OS', 'ä', 1, 2);
INSERT INTO error_tracking_settings (project_id, active, integrated, sealed_token) VALUES (7, 1, 0, x'01');
INSERT INTO error_users VALUES (21, x'01'), (21, x'');
INSERT INTO ingest_counts VALUES (7, 1, 'accepted', 9);
INSERT INTO announced_releases (id, project_id, version, created_at) VALUES (4, 7, 'app@1.0', 1);
INSERT INTO release_days (project_id, release, environment, day) VALUES (7, 'app@1.0', '', 1), (7, 'App@1.0', 'ä', -1);
INSERT INTO release_deploys (release_id, environment, finished_at) VALUES (4, 'production', 1);
INSERT INTO release_sessions VALUES (7, x'01', 'r', 'e', 1, 2, 'ok', 0, 3);
INSERT INTO release_users VALUES (7, 'r', 'e', 1, x'00', 0);
INSERT INTO source_maps (project_id, name, uploaded_at, size, content) VALUES (7, '~/a.js', 1, 2, randomblob(100000));
INSERT INTO upload_chunks VALUES (40, 'ff', 1, 2, zeroblob(70000)), (40, 'FF', 1, 2, x'');

INSERT INTO notification_rules (id, user_id, name, settings, secret, created_at) VALUES (8, 40, 'Nächte', '{"kinds":[]}', x'00ff', 1), (3, 40, 'x', '{}', NULL, 2);
INSERT INTO notification_rules (id, project_id, name, settings, created_at) VALUES (5, 7, 'Nächte', '{}', 1);
INSERT INTO happenings (id, at, kind, subject, measurement_id, project_id, user_id, title) VALUES (90, 1, 'degraded', 'measurement:ä', 'ä', NULL, 40, ''), (91, 2, 'error-new', 'error:20', NULL, 7, NULL, 'Ö');
INSERT INTO happenings_seen VALUES (40, 90, 0, 3);
INSERT INTO conditions VALUES ('disk-low', 'disk:data', 'low', 9007199254740991, 1), ('disk-low', 'disk:ä', '', 0, 0);
INSERT INTO sign_in_places VALUES (40, 'ff', 1), (40, 'FF', 2);
INSERT INTO deliveries (id, rule_id, at, kind, subject, measurement_id, project_id, title, retry_at) VALUES (70, 8, 1, 'degraded', 'measurement:ä', 'ä', NULL, '', 9007199254740991);

INSERT INTO benches (id, user_id, state, since, sequence, first_heard_at, heard_at, clock_ahead_ms, report, reported_name, version_key, backlog_bytes, free_permille, errors, has_concern) VALUES
  ('key-of-ä', 40, 'away', 1, 9007199254740991, 1, 2, -5, '{"name":"ä"}', 'ä', '00000000~', 9007199254740991, 1000, 0, 1);

UPDATE jobs SET replica_id = 6 WHERE id = 12;
INSERT INTO replicas (id, name, version, started_at, lease_until, seen, seen_at) VALUES (6, 'gone', '1', 1, 1, '', 1);

INSERT INTO remote_servers (name, base_url, created_at) VALUES ('bench', 'http://bench.example.org', 1);
INSERT INTO fetches (base_url, measurement_id, what, target, state, position, created_at) VALUES ('http://bench.example.org', 'm', 'files', '/t', 'done', 1.5, 1);
`);
}
