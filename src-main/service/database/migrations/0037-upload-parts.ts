import type { Migration } from './early/migration.ts';

const sql = (integer: string, text: string, end: string): string => `
-- Where an upload goes whose bytes are put into the object storage as they come: the key of the archive, null for others and once nothing of it is left there.
ALTER TABLE uploads ADD COLUMN object_key ${text};
-- The upload in parts of the object storage; null before the first part, and for an archive of one part.
ALTER TABLE uploads ADD COLUMN object_upload ${text};
-- Bytes after the last part, in an object of their own.
ALTER TABLE uploads ADD COLUMN tail_bytes ${integer} NOT NULL DEFAULT 0;
CREATE INDEX uploads_of_object ON uploads (object_key) WHERE object_key IS NOT NULL;

-- Parts that the object storage has, each with what is needed to verify the bytes after it.
CREATE TABLE upload_parts (
  upload_id ${text} NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  number ${integer} NOT NULL,
  etag ${text} NOT NULL,
  -- Index of the file in which the part ends, where its header begins in the archive, and its line in the manifest.
  member ${integer} NOT NULL,
  member_offset ${integer} NOT NULL,
  line ${integer} NOT NULL,
  -- Bytes of header and file up to the end of the part, and the CRC-32 of those of the file.
  position ${integer} NOT NULL,
  crc32 ${integer} NOT NULL,
  PRIMARY KEY (upload_id, number)
)${end};
`;

/** Uploads that are put into the object storage as they come. */
export const uploadParts: Migration = {
  number: 37,
  name: 'upload-parts',
  sql: sql('INTEGER', 'TEXT', ' STRICT'),
  postgres: sql('bigint', 'text COLLATE "C"', ''),
};
