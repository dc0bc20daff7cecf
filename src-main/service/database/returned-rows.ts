import type Database from 'better-sqlite3';

/**
 * Makes `get` throw when what a statement writes and returns (`INSERT ... RETURNING`) was not committed. That of better-sqlite3 stops at the row, which SQLite
 * returns before the commit, and ignores how the commit ended: on a full disk it would return a row that is not there, with an id that the next one gets, too.
 */
export function tellFailedReturns(database: Database.Database): void {
  const prepare = database.prepare.bind(database);
  database.prepare = ((source: string) => {
    const statement = prepare(source);
    if (statement.reader && !statement.readonly) statement.get = (...values) => statement.all(...values)[0];
    return statement;
  }) as typeof database.prepare;
}
