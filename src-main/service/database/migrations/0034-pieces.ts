import type { Migration } from './early/migration.ts';

const sql = (integer: string, text: string, bytes: string, end: string): string => `
-- The SHA-256 over the hashes of a file's pieces, as its manifest has it; null for files of one piece, and of measurements that were registered before.
ALTER TABLE measurement_files ADD COLUMN pieces_sha256 ${bytes};

-- The SHA-256 of each piece of 4 MiB, 1024 pieces a row, 32 bytes each; none for files of one piece.
CREATE TABLE measurement_pieces (
  measurement_id ${text} NOT NULL,
  idx ${integer} NOT NULL,
  page ${integer} NOT NULL,
  hashes ${bytes} NOT NULL,
  PRIMARY KEY (measurement_id, idx, page),
  FOREIGN KEY (measurement_id, idx) REFERENCES measurement_files (measurement_id, idx) ON DELETE CASCADE
)${end};
`;

/** Hashes of pieces of files, by which others find and repair the part that is wrong. */
export const pieces: Migration = {
  number: 34,
  name: 'pieces',
  sql: sql('INTEGER', 'TEXT', 'BLOB', ' STRICT'),
  postgres: sql('bigint', 'text COLLATE "C"', 'bytea', ''),
};
