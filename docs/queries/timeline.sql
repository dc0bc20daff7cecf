-- src-main/service/timeline/store/fills-store.ts

SELECT filled_to FROM search_fills WHERE name = ? AND complete = 0;

UPDATE search_fills SET filled_to = ?, complete = ? WHERE name = ?;

SELECT number, file_count AS files FROM measurements WHERE number > ? ORDER BY number LIMIT ?;

UPDATE measurements SET (began_at, ended_at) = (
  SELECT min(at), max(at) FROM (
  SELECT CASE WHEN files.registered_at < measurements.created_at THEN files.registered_at ELSE CASE WHEN length(files.mtime_ns) = 18 OR length(files.mtime_ns) = 19 AND files.mtime_ns < '9' THEN CAST(files.mtime_ns AS bigint) / 1000000 END END AS at
  FROM measurement_files AS files WHERE files.measurement_id = measurements.id
  AND (measurements.storage = 'reference' OR measurements.object_key IS NOT NULL OR files.registered_at < measurements.created_at
  OR NOT EXISTS (SELECT 1 FROM measurement_files AS other WHERE other.location = files.location AND other.measurement_id <> files.measurement_id))
  ) AS times WHERE at BETWEEN @earliest AND ifnull(measurements.registered_at, measurements.created_at) + 86400000)
  WHERE number > @after AND number <= @last AND began_at IS NULL AND state <> 'registering';

SELECT min(id) FROM (SELECT id FROM error_events WHERE id <= ? ORDER BY id DESC LIMIT ?) AS step;

INSERT INTO error_minutes (group_id, minute, events)
  SELECT group_id, occurred_at / 60000, count(*) FROM error_events WHERE id BETWEEN ? AND ? GROUP BY group_id, occurred_at / 60000
  ON CONFLICT (group_id, minute) DO UPDATE SET events = error_minutes.events + excluded.events;

-- src-main/service/timeline/store/touched-runs-store.ts

-- SQLite
SELECT id FROM measurements WHERE id IN (SELECT value FROM json_each(@ids)) AND began_at IS NOT NULL AND ended_at - began_at <= 2678400000
  AND began_at - 3900000 <= @last AND ended_at + 3900000 >= @first AND CASE WHEN ended_at - began_at <= 172800000 THEN EXISTS (SELECT 1 FROM error_groups CROSS JOIN error_minutes ON group_id = error_groups.id WHERE error_id = @error AND minute >= (began_at - 300000) / 60000 AND minute <= (ended_at + 300000) / 60000) ELSE EXISTS (SELECT 1 FROM error_groups CROSS JOIN error_hours ON group_id = error_groups.id WHERE error_id = @error AND hour >= (began_at - 300000) / 3600000 AND hour <= (ended_at + 300000) / 3600000) END;
-- PostgreSQL
SELECT id FROM measurements WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb)))) AND began_at IS NOT NULL AND ended_at - began_at <= 2678400000
  AND began_at - 3900000 <= @last AND ended_at + 3900000 >= @first AND CASE WHEN ended_at - began_at <= 172800000 THEN EXISTS (SELECT 1 FROM error_groups JOIN error_minutes ON group_id = error_groups.id WHERE error_id = @error AND minute >= (began_at - 300000) / 60000 AND minute <= (ended_at + 300000) / 60000) ELSE EXISTS (SELECT 1 FROM error_groups JOIN error_hours ON group_id = error_groups.id WHERE error_id = @error AND hour >= (began_at - 300000) / 3600000 AND hour <= (ended_at + 300000) / 3600000) END;

-- SQLite
SELECT id, title, began_at, ended_at, CASE WHEN ended_at - began_at <= 172800000 THEN (SELECT ifnull(sum(error_minutes.events), 0) FROM error_groups CROSS JOIN error_minutes ON group_id = error_groups.id WHERE error_id = @error AND minute >= (began_at - 300000) / 60000 AND minute <= (ended_at + 300000) / 60000) ELSE (SELECT ifnull(sum(error_hours.events), 0) FROM error_groups CROSS JOIN error_hours ON group_id = error_groups.id WHERE error_id = @error AND hour >= (began_at - 300000) / 3600000 AND hour <= (ended_at + 300000) / 3600000) END AS events FROM measurements WHERE id IN (SELECT value FROM json_each(@ids));
-- PostgreSQL
SELECT id, title, began_at, ended_at, CASE WHEN ended_at - began_at <= 172800000 THEN (SELECT ifnull(sum(error_minutes.events), 0) FROM error_groups JOIN error_minutes ON group_id = error_groups.id WHERE error_id = @error AND minute >= (began_at - 300000) / 60000 AND minute <= (ended_at + 300000) / 60000) ELSE (SELECT ifnull(sum(error_hours.events), 0) FROM error_groups JOIN error_hours ON group_id = error_groups.id WHERE error_id = @error AND hour >= (began_at - 300000) / 3600000 AND hour <= (ended_at + 300000) / 3600000) END AS events FROM measurements WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb))));

-- src-main/service/timeline/store/window-errors-store.ts

-- SQLite
SELECT id, last_seen AS "lastSeen", first_seen AS "firstSeen" FROM errors INDEXED BY errors_by_last_seen
  WHERE project_id = @project AND status = @status AND last_seen >= @from AND last_seen <= @last AND (last_seen < @last OR id > @id)
  ORDER BY last_seen DESC, id LIMIT @limit;
-- PostgreSQL
SELECT id, last_seen AS "lastSeen", first_seen AS "firstSeen" FROM errors
  WHERE project_id = @project AND status = @status AND last_seen >= @from AND last_seen <= @last AND (last_seen < @last OR id > @id)
  ORDER BY last_seen DESC, id LIMIT @limit;

-- SQLite
SELECT error_id AS "errorId", sum(error_minutes.events) AS events, min(minute) AS first, max(minute) AS last FROM error_groups JOIN error_minutes ON group_id = error_groups.id
  WHERE error_id IN (SELECT value FROM json_each(@ids)) AND minute >= @from AND minute < @until GROUP BY error_id;
-- PostgreSQL
SELECT error_id AS "errorId", sum(error_minutes.events) AS events, min(minute) AS first, max(minute) AS last FROM error_groups JOIN error_minutes ON group_id = error_groups.id
  WHERE error_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb))::bigint)) AND minute >= @from AND minute < @until GROUP BY error_id;

-- SQLite
SELECT error_id AS "errorId", sum(error_hours.events) AS events, min(hour) AS first, max(hour) AS last FROM error_groups JOIN error_hours ON group_id = error_groups.id
  WHERE error_id IN (SELECT value FROM json_each(@ids)) AND hour >= @from AND hour < @until GROUP BY error_id;
-- PostgreSQL
SELECT error_id AS "errorId", sum(error_hours.events) AS events, min(hour) AS first, max(hour) AS last FROM error_groups JOIN error_hours ON group_id = error_groups.id
  WHERE error_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb))::bigint)) AND hour >= @from AND hour < @until GROUP BY error_id;

-- SQLite
SELECT (minute - CAST(@from AS bigint)) / CAST(@step AS bigint) AS at, sum(error_minutes.events) AS events FROM error_groups JOIN error_minutes ON group_id = error_groups.id
  WHERE error_id IN (SELECT value FROM json_each(@ids)) AND minute >= @from AND minute < @until GROUP BY 1;
-- PostgreSQL
SELECT (minute - CAST(@from AS bigint)) / CAST(@step AS bigint) AS at, sum(error_minutes.events) AS events FROM error_groups JOIN error_minutes ON group_id = error_groups.id
  WHERE error_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb))::bigint)) AND minute >= @from AND minute < @until GROUP BY 1;

-- SQLite
SELECT (hour - CAST(@from AS bigint)) / CAST(@step AS bigint) AS at, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
  WHERE error_id IN (SELECT value FROM json_each(@ids)) AND hour >= @from AND hour < @until GROUP BY 1;
-- PostgreSQL
SELECT (hour - CAST(@from AS bigint)) / CAST(@step AS bigint) AS at, sum(error_hours.events) AS events FROM error_groups JOIN error_hours ON group_id = error_groups.id
  WHERE error_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(@ids AS jsonb))::bigint)) AND hour >= @from AND hour < @until GROUP BY 1;

-- SQLite
SELECT id, project_id, status, type, value, culprit, level FROM errors WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT id, project_id, status, type, value, culprit, level FROM errors WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint));

-- SQLite
SELECT project_id FROM error_tracking_settings WHERE project_id IN (SELECT value FROM json_each(?)) AND integrated = 0;
-- PostgreSQL
SELECT project_id FROM error_tracking_settings WHERE project_id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))::bigint)) AND integrated = 0;
