import type { Migration } from './early/migration.ts';

/**
 * Checksums of blocks that are added to a measurement that can be read: replicas drop what they
 * cached of its files, as SQLite's counter of changes makes the one process do. A measurement that
 * is being registered is in no cache.
 */
export const blockChecksums: Migration = {
  number: 22,
  name: 'block-checksums',
  sql: '',
  postgres: `
CREATE FUNCTION tell_access_change() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Once in a transaction; the setting ends with it.
  IF coalesce(current_setting('benchport.access_noted', true), '') <> '' THEN RETURN; END IF;
  PERFORM set_config('benchport.access_noted', '1', true);
  INSERT INTO access_changes (at) VALUES (milliseconds_now());
  PERFORM pg_notify('benchport_access', '');
END $$;
CREATE OR REPLACE FUNCTION note_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_access_change();
  RETURN NULL;
END $$;
CREATE FUNCTION note_checksums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM (SELECT DISTINCT measurement_id FROM added) AS changed
    JOIN measurements ON measurements.id = changed.measurement_id WHERE measurements.state <> 'registering'
  ) THEN PERFORM tell_access_change(); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER checksums_added AFTER INSERT ON measurement_blocks
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_checksums();
`,
};
