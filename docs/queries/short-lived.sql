-- src-main/service/short-lived/short-lived-store.ts

INSERT INTO short_lived (kind, key, owner_id, value, until) VALUES (@kind, @key, @owner_id, @value, @until)
  ON CONFLICT (kind, key) DO UPDATE SET owner_id = excluded.owner_id, value = excluded.value, until = excluded.until;

SELECT CASE WHEN (SELECT count(*) FROM short_lived WHERE kind = @kind AND owner_id = @owner_id) > @maxPerOwner
  OR (SELECT count(*) FROM short_lived WHERE kind = @kind) > @maxEntries THEN 1 ELSE 0 END;

DELETE FROM short_lived WHERE kind = @kind AND key IN (SELECT key FROM
  (SELECT key, row_number() OVER (PARTITION BY owner_id ORDER BY until DESC) AS place FROM short_lived WHERE kind = @kind) AS ranked
  WHERE place > @maxPerOwner);

-- SQLite
DELETE FROM short_lived WHERE kind = @kind AND key IN
  (SELECT key FROM short_lived WHERE kind = @kind ORDER BY until DESC LIMIT -1 OFFSET @maxEntries);
-- PostgreSQL
DELETE FROM short_lived WHERE kind = @kind AND key IN
  (SELECT key FROM short_lived WHERE kind = @kind ORDER BY until DESC LIMIT ALL OFFSET @maxEntries);

SELECT value FROM short_lived WHERE kind = ? AND key = ? AND until > ?;

DELETE FROM short_lived WHERE kind = ? AND key = ? AND until > ? RETURNING value;

DELETE FROM short_lived WHERE (kind, key) IN (SELECT kind, key FROM short_lived WHERE until <= ? ORDER BY until LIMIT ?);
