import type { SqliteMigration } from './migration.ts';

/**
 * Source maps uploaded by build tools: chunks that wait to be assembled, several maps of one name,
 * and releases with their deploys.
 */
export const artifactUploads: SqliteMigration = {
  number: 8,
  name: 'artifact-uploads',
  sql: `
CREATE TABLE upload_chunks (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-1 of the content, hexadecimal.
  digest TEXT NOT NULL,
  uploaded_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (user_id, digest)
) STRICT;
-- Sums of sizes and the search for old ones read these and no content.
CREATE INDEX upload_chunks_by_size ON upload_chunks (user_id, size);
CREATE INDEX upload_chunks_by_age ON upload_chunks (uploaded_at);

-- Builds of one name and release differ by their debug ids, and each keeps its map.
DROP INDEX source_maps_by_name;
CREATE INDEX source_maps_by_name ON source_maps (project_id, ifnull(release, ''), name);

-- Releases that somebody announced; others are known by events and sessions alone.
CREATE TABLE announced_releases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  url TEXT,
  archived INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  released_at INTEGER,
  UNIQUE (project_id, version)
) STRICT;
CREATE TABLE release_deploys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  release_id INTEGER NOT NULL REFERENCES announced_releases (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  started_at INTEGER,
  finished_at INTEGER NOT NULL
) STRICT;
CREATE INDEX release_deploys_by_release ON release_deploys (release_id, id);
`,
};
