import Database from 'better-sqlite3';

/** A connection to a file of SQLite, for what only SQLite has: fetches, backups and locks. */
export type SqliteConnection = Database.Database;

export type SqliteStatement = Database.Statement;

/** @throws an error with a `code` of SQLite. */
export function openSqliteFile(file: string, options?: Database.Options): SqliteConnection {
  return new Database(file, options);
}
