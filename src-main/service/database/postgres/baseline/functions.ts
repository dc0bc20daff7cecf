/**
 * Functions with which PostgreSQL runs the same texts as SQLite. PostgreSQL puts their bodies in
 * place of the calls, so that indexes on them are used.
 */
export const functions = String.raw`
CREATE FUNCTION ifnull(anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT coalesce($1, $2)';
CREATE FUNCTION max(anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE greatest($1, $2) END';
CREATE FUNCTION min(anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE least($1, $2) END';
CREATE FUNCTION iif(boolean, anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT CASE WHEN $1 THEN $2 ELSE $3 END';
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos($1, $2)';

-- Equal for texts that differ only in the case of letters or in their Unicode form (database/text-search.ts).
CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT normalize(upper(lower($1 COLLATE "und-x-icu") COLLATE "und-x-icu"), NFC) COLLATE "C"';
`;
