/** Stands for no end of a grant, as in the migration of SQLite: larger than any time in milliseconds. */
const never = 9_007_199_254_740_991;

/**
 * The readers of each measurement and the index of searches, kept by triggers as in SQLite
 * (migrations/early/0009-measurement-access.ts).
 */
export const accessTriggers = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE measurement_search (
  number bigint PRIMARY KEY,
  text text COLLATE "C" NOT NULL
);
CREATE INDEX measurement_search_by_text ON measurement_search USING gin (text gin_trgm_ops);
INSERT INTO search_fills VALUES ('measurements', 0, 1);

-- The reader of a grant: 1 for everyone, 2 * id of a user, 2 * id + 1 of a project.
CREATE FUNCTION grant_reader(of grants) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS 'SELECT CASE WHEN of.everyone = 1 THEN 1 WHEN of.user_id IS NOT NULL THEN 2 * of.user_id ELSE 2 * of.project_id + 1 END';

-- Writes the readers of a measurement, or one of them.
CREATE FUNCTION renew_readers(which text, who bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM measurement_access WHERE measurement_id = which AND (who IS NULL OR reader = who);
  INSERT INTO measurement_access (measurement_id, reader, until, created_at, title_key, total_bytes, file_count, state)
  SELECT m.id, found.reader, max(found.until), m.created_at, m.title_key, m.total_bytes, m.file_count, m.state
  FROM (
    SELECT 0 AS reader, ${never} AS until
    UNION ALL SELECT 2 * owner_id, ${never} FROM measurements WHERE id = which
    UNION ALL SELECT grant_reader(g), coalesce(g.until, ${never}) FROM grants g WHERE g.measurement_id = which
  ) AS found JOIN measurements m ON m.id = which
  WHERE m.state <> 'registering' AND (who IS NULL OR found.reader = who)
  GROUP BY m.id, found.reader;
END $$;

CREATE FUNCTION measurement_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO measurement_search (number, text) VALUES (new.number, lower(new.id) || chr(10) || new.title_key);
  PERFORM renew_readers(new.id, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER measurement_added AFTER INSERT ON measurements FOR EACH ROW EXECUTE FUNCTION measurement_added();

CREATE FUNCTION measurement_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE measurement_search SET text = lower(new.id) || chr(10) || new.title_key WHERE number = new.number;
  RETURN NULL;
END $$;
CREATE TRIGGER measurement_renamed AFTER UPDATE OF title_key ON measurements FOR EACH ROW
  WHEN (old.title_key <> new.title_key) EXECUTE FUNCTION measurement_renamed();

CREATE FUNCTION measurement_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM renew_readers(new.id, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER measurement_changed AFTER UPDATE OF owner_id, created_at, title_key, total_bytes, file_count, state ON measurements
  FOR EACH ROW WHEN ((old.owner_id, old.created_at, old.title_key, old.total_bytes, old.file_count, old.state)
    <> (new.owner_id, new.created_at, new.title_key, new.total_bytes, new.file_count, new.state))
  EXECUTE FUNCTION measurement_changed();

CREATE FUNCTION measurement_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM measurement_search WHERE number = old.number;
  RETURN NULL;
END $$;
CREATE TRIGGER measurement_removed AFTER DELETE ON measurements FOR EACH ROW EXECUTE FUNCTION measurement_removed();

CREATE FUNCTION grant_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op <> 'INSERT' THEN PERFORM renew_readers(old.measurement_id, grant_reader(old)); END IF;
  IF tg_op <> 'DELETE' THEN PERFORM renew_readers(new.measurement_id, grant_reader(new)); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER grant_written AFTER INSERT OR UPDATE OR DELETE ON grants FOR EACH ROW EXECUTE FUNCTION grant_written();
`;
