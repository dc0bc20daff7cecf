-- src-main/service/diagnostics/diagnostics-store.ts

SELECT key, value FROM settings ORDER BY key;

SELECT id, kind, state, files_done, files_total, bytes_done, bytes_total, created_at, started_at, ended_at FROM jobs ORDER BY id DESC LIMIT 200;

SELECT id, what, state, reason, attempts, retry_at, files_done, files_total, bytes_done, bytes_verified, bytes_total, active_ms, created_at, started_at, ended_at
  FROM fetches ORDER BY id DESC LIMIT 200;
