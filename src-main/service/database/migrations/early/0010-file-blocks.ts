import type { SqliteMigration } from './migration.ts';

/**
 * Checksums of blocks, which ranges of files are verified against. Files that are registered
 * already get theirs with their next verification.
 */
export const fileBlocks: SqliteMigration = {
  number: 10,
  name: 'file-blocks',
  sql: `
-- Status change time when the bytes were hashed, nanoseconds as text; null for copies in the library and where it is not known.
ALTER TABLE measurement_files ADD COLUMN ctime_ns TEXT;

-- The CRC-32 up to the end of each block of 4 MiB, 1024 blocks a row, 32 bits little-endian each; none for files of one block.
CREATE TABLE measurement_blocks (
  measurement_id TEXT NOT NULL,
  idx INTEGER NOT NULL,
  page INTEGER NOT NULL,
  sums BLOB NOT NULL,
  PRIMARY KEY (measurement_id, idx, page),
  FOREIGN KEY (measurement_id, idx) REFERENCES measurement_files (measurement_id, idx) ON DELETE CASCADE
) STRICT;
`,
};
