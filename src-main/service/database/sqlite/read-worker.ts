/** Worker thread that reads a SQLite file; see `read-thread.ts`. */
import { workerData } from 'node:worker_threads';
import { serveWorker } from '../../workers/worker-server.ts';
import type { ReadMethods } from './read-thread.ts';
import { openSqliteFile, type SqliteStatement } from './sqlite-file.ts';

const connection = openSqliteFile(String(workerData), { readonly: true, fileMustExist: true });
const statements = new Map<string, SqliteStatement>();

function prepared(sql: string, firstColumn: boolean): SqliteStatement {
  const known = statements.get(sql);
  if (known) return known;
  const statement = connection.prepare(sql).pluck(firstColumn);
  statements.set(sql, statement);
  return statement;
}

serveWorker<ReadMethods>({
  all: (sql, firstColumn, values) => prepared(sql, firstColumn).all(...values),
});
