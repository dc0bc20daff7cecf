/** A step of SQLite alone: those up to the tables with which PostgreSQL begins (postgres/baseline). */
export interface SqliteMigration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** A step from one schema to the next, with the texts of both engines side by side. */
export interface Migration extends SqliteMigration {
  readonly postgres: string;
}
