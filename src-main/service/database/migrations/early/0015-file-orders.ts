import type { SqliteMigration } from './migration.ts';

/** Orders of the files of measurements, each computed on first use. */
export const fileOrders: SqliteMigration = {
  number: 15,
  name: 'file-orders',
  sql: `
-- Indexes of files in an order, 32 bits each, little endian, 256 in each block but the last. Blocks are written in order.
CREATE TABLE file_orders (
  measurement_id TEXT NOT NULL REFERENCES measurements (id) ON DELETE CASCADE,
  sort TEXT NOT NULL CHECK (sort IN ('path', 'size')),
  block INTEGER NOT NULL,
  indexes BLOB NOT NULL,
  PRIMARY KEY (measurement_id, sort, block)
) STRICT;
`,
};
