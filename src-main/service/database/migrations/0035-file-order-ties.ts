import type { Migration } from './early/migration.ts';

// They are made anew when a list is asked for.
const sql = `DELETE FROM file_orders WHERE sort = 'path';`;

/** Forgets natural orders in which folders whose names differ only in case were not told apart. */
export const fileOrderTies: Migration = { number: 35, name: 'file-order-ties', sql, postgres: sql };
