-- src-main/service/servers/servers-store.ts

-- SQLite
SELECT * FROM remote_servers ORDER BY folded_key(name), id;
-- PostgreSQL
SELECT * FROM remote_servers ORDER BY folded(name), id;

SELECT * FROM remote_servers WHERE id = ?;

SELECT * FROM remote_servers WHERE base_url = ?;

INSERT INTO remote_servers (name, base_url, certificate, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *;

UPDATE remote_servers SET name = @name, base_url = @base_url, token = @token, certificate = @certificate, speed_limit = @speed_limit, connections = @connections, reports = @reports,
  state = @state, problem = @problem, message = @message, lists = @lists, username = @username, checked_at = @checked_at WHERE id = @id;

DELETE FROM remote_servers WHERE id = ?;
