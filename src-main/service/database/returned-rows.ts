import type Database from 'better-sqlite3';

/**
 * Makes `get` throw when the row that a statement wrote and returned (`INSERT ... RETURNING`) was
 * not committed. The `get` of better-sqlite3 stops at the row, which SQLite returns before the
 * commit, and ignores the result of the commit: on a full disk it would return a row that does not
 * exist, with an id that is used again.
 */
export function tellFailedReturns(database: Database.Database): void {
  const prepare = database.prepare.bind(database);
  database.prepare = ((source: string) => {
    const statement = prepare(source);
    if (statement.reader && !statement.readonly) statement.get = (...values) => statement.all(...values)[0];
    return statement;
  }) as typeof database.prepare;
}
