-- src-main/service/fleet/store/bench-list-store.ts

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY CASE WHEN b.state = 'silent' THEN 0 WHEN b.state = 'unheard' THEN 1 WHEN b.has_concern = 1 THEN 2
  WHEN b.state = 'away' THEN 3 WHEN b.state = 'reporting' THEN 4 WHEN b.state = 'asleep' THEN 5 ELSE 6 END asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY CASE WHEN b.state = 'silent' THEN 0 WHEN b.state = 'unheard' THEN 1 WHEN b.has_concern = 1 THEN 2
  WHEN b.state = 'away' THEN 3 WHEN b.state = 'reporting' THEN 4 WHEN b.state = 'asleep' THEN 5 ELSE 6 END asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY CASE WHEN b.state = 'silent' THEN 0 WHEN b.state = 'unheard' THEN 1 WHEN b.has_concern = 1 THEN 2
  WHEN b.state = 'away' THEN 3 WHEN b.state = 'reporting' THEN 4 WHEN b.state = 'asleep' THEN 5 ELSE 6 END desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY CASE WHEN b.state = 'silent' THEN 0 WHEN b.state = 'unheard' THEN 1 WHEN b.has_concern = 1 THEN 2
  WHEN b.state = 'away' THEN 3 WHEN b.state = 'reporting' THEN 4 WHEN b.state = 'asleep' THEN 5 ELSE 6 END desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY folded_key(ifnull(b.own_name, b.reported_name)) asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY folded(ifnull(b.own_name, b.reported_name)) asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY folded_key(ifnull(b.own_name, b.reported_name)) desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY folded(ifnull(b.own_name, b.reported_name)) desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.heard_at asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.heard_at asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.heard_at desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.heard_at desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY ifnull(b.last_run_at, 0) asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY ifnull(b.last_run_at, 0) asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY ifnull(b.last_run_at, 0) desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY ifnull(b.last_run_at, 0) desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.backlog_bytes asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.backlog_bytes asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.backlog_bytes desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.backlog_bytes desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.free_permille asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.free_permille asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.free_permille desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.free_permille desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.version_key asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.version_key asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.version_key desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.version_key desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY abs(b.clock_ahead_ms) asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY abs(b.clock_ahead_ms) asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY abs(b.clock_ahead_ms) desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY abs(b.clock_ahead_ms) desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.errors asc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.errors asc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\') ORDER BY b.errors desc, folded_key(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;
-- PostgreSQL
SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\') ORDER BY b.errors desc, folded(ifnull(b.own_name, b.reported_name)), b.id LIMIT @limit OFFSET @offset;

-- SQLite
SELECT count(*) FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) LIKE @search ESCAPE '\' OR b.note LIKE @search ESCAPE '\' OR users.username LIKE @search ESCAPE '\');
-- PostgreSQL
SELECT count(*) FROM benches AS b JOIN users ON users.id = b.user_id WHERE (@filter = 'all' OR (@filter = 'attention' AND (b.state IN ('silent', 'unheard') OR b.has_concern = 1))
  OR (@filter = 'reporting' AND b.state = 'reporting') OR (@filter = 'gone' AND b.state IN ('closed', 'asleep', 'away')))
  AND (@search = '' OR ifnull(b.own_name, b.reported_name) ILIKE @search ESCAPE '\' OR b.note ILIKE @search ESCAPE '\' OR users.username ILIKE @search ESCAPE '\');

SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE b.id = ?;

SELECT b.id, b.user_id, b.state, b.since, b.sequence, b.first_heard_at, b.heard_at, b.missed_since,
  b.clock_ahead_ms, b.report, b.absences, b.own_name, b.note, b.expected, users.username FROM benches AS b JOIN users ON users.id = b.user_id WHERE lower(ifnull(b.own_name, b.reported_name)) = lower(@name) OR b.id LIKE @beginning ESCAPE '\' ORDER BY b.id LIMIT 2;

SELECT count(*) AS "all",
  ifnull(sum(CASE WHEN (b.state IN ('silent', 'unheard') OR b.has_concern = 1) THEN 1 ELSE 0 END), 0) AS attention,
  ifnull(sum(CASE WHEN b.state = 'reporting' THEN 1 ELSE 0 END), 0) AS reporting,
  ifnull(sum(CASE WHEN b.state IN ('closed', 'asleep', 'away') THEN 1 ELSE 0 END), 0) AS gone,
  max(CASE WHEN b.state = 'unheard' THEN b.missed_since END) AS unheard_since
  FROM benches AS b;

SELECT state, count(*) AS count FROM benches GROUP BY state;

-- src-main/service/fleet/store/benches-store.ts

-- SQLite
SELECT state, since, missed_since, absences, sequence, user_id, has_concern, ifnull(own_name, reported_name) AS name
  FROM benches WHERE id = ?;
-- PostgreSQL
SELECT state, since, missed_since, absences, sequence, user_id, has_concern, ifnull(own_name, reported_name) AS name
  FROM benches WHERE id = ? FOR NO KEY UPDATE;

SELECT count(*) AS count FROM benches WHERE user_id = ?;

INSERT INTO benches (id, user_id, state, since, sequence, first_heard_at, heard_at, missed_since, clock_ahead_ms, report,
  reported_name, version_key, last_run_at, backlog_bytes, free_permille, errors, has_concern, absences)
  VALUES (@id, @userId, @state, @since, @sequence, @now, @now, @missedSince, @clockAheadMs, @report,
  @name, @versionKey, @lastRunAt, @backlogBytes, @freePermille, @errors, @hasConcern, @absences);

UPDATE benches SET user_id = @userId, state = @state, since = @since, sequence = @sequence, heard_at = @now,
  missed_since = @missedSince, clock_ahead_ms = @clockAheadMs, report = @report, reported_name = @name,
  version_key = @versionKey, last_run_at = @lastRunAt, backlog_bytes = @backlogBytes, free_permille = @freePermille,
  errors = @errors, has_concern = @hasConcern, absences = @absences
  WHERE id = @id;

SELECT id, state, sequence, expected, missed_since FROM benches WHERE state IN ('reporting', 'away', 'unheard');

-- SQLite
SELECT id, expected, first_heard_at, absences FROM benches WHERE id IN (SELECT value FROM json_each(?));
-- PostgreSQL
SELECT id, expected, first_heard_at, absences FROM benches WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST(? AS jsonb))));

UPDATE benches SET state = ?, since = ?, missed_since = ? WHERE id = ?;

SELECT id FROM benches WHERE state = 'unheard' LIMIT 1;

UPDATE benches SET own_name = ? WHERE id = ?;

UPDATE benches SET note = ? WHERE id = ?;

UPDATE benches SET expected = ? WHERE id = ?;

SELECT id FROM benches WHERE id = ?;

DELETE FROM benches WHERE id = ?;

-- src-main/service/fleet/store/reported-store.ts

SELECT id, CASE WHEN EXISTS (SELECT 1 FROM copies AS c WHERE c.base_url = s.base_url AND c.state <> 'cancelled') THEN 1 ELSE 0 END AS is_copied
  FROM remote_servers AS s WHERE token IS NOT NULL AND reports = 1 ORDER BY id;

SELECT name, folder, state, settings FROM capture_rules ORDER BY id LIMIT 1000;

SELECT ifnull(sum(CASE WHEN state IN ('queued', 'sending', 'waiting', 'asking', 'paused') THEN 1 ELSE 0 END), 0) AS waiting,
  CAST(ifnull(sum(CASE WHEN state IN ('queued', 'sending', 'waiting', 'asking', 'paused') THEN bytes_total - bytes_done ELSE 0 END), 0) AS bigint) AS waiting_bytes,
  min(CASE WHEN state IN ('queued', 'sending', 'waiting', 'asking', 'paused') THEN created_at END) AS oldest_since,
  ifnull(sum(CASE WHEN state IN ('failed', 'asking') THEN 1 ELSE 0 END), 0) AS failed
  FROM copies WHERE base_url = ? AND state IN ('queued', 'sending', 'waiting', 'asking', 'paused', 'failed');

SELECT ifnull(sum(CASE WHEN state IN ('seen', 'growing', 'quiet', 'hashing') THEN 1 ELSE 0 END), 0) AS growing,
  ifnull(sum(CASE WHEN state IN ('needs-you', 'changed-after') THEN 1 ELSE 0 END), 0) AS stuck
  FROM capture_runs WHERE state IN ('seen', 'growing', 'quiet', 'hashing', 'needs-you', 'changed-after');

SELECT count(*) AS count FROM jobs WHERE state = 'failed' AND created_at >= ?;

SELECT id, title, ifnull(registered_at, created_at) AS registered_at FROM measurements
  WHERE state <> 'registering' ORDER BY created_at DESC, id DESC LIMIT 1;

SELECT count(*) AS count FROM errors WHERE status = 'unresolved';

SELECT CAST(ifnull(sum(h.events), 0) AS bigint) AS count
  FROM error_groups AS g JOIN error_hours AS h ON h.group_id = g.id AND h.hour >= @hour WHERE g.last_seen >= @since;
