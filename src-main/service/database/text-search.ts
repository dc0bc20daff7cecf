import type Database from 'better-sqlite3';

const ascii = /^[ -~]*$/;
// The time to put marks on one letter in their order grows with their square, and errors come from outside. Names and titles are shorter.
const maxFoldedLength = 500;

/** A LIKE pattern (escape character backslash) that matches what contains `text`. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * The SQL condition that a text, an expression evaluated more than once, matches a parameter made by `likePattern`, whatever the case of its letters.
 * LIKE ignores that of ASCII letters alone and is several times as fast: it stays the only comparison for a search that holds no others, and for what
 * stands behind the first 500 characters.
 */
export function contains(text: string, pattern: `@${string}`): string {
  const begin = `folded(substr(${text}, 1, ${maxFoldedLength}))`;
  return `(${text} LIKE ${pattern} ESCAPE '\\' OR (${pattern} GLOB '*[^ -~]*' AND ${begin} LIKE folded(${pattern}) ESCAPE '\\'))`;
}

/** Gives a connection the functions that `contains` and the migrations rely on. */
export function addFolding(database: Database.Database): void {
  database.function('folded', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? folded(text) : text,
  );
  database.function('folded_key', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? foldedKey(text) : text,
  );
}

/**
 * A form of a text that is equal for texts that differ in case or Unicode form only: columns that hold it sort and are searched without regard to case.
 * ASCII letters are lower case, so that they sort as they do without regard to case in SQLite (NOCASE) and PostgreSQL (lower). Behind the first 500
 * characters only the case of ASCII letters is ignored.
 */
export function foldedKey(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const key = folded(text.slice(0, maxFoldedLength)) + text.slice(maxFoldedLength);
  return key.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** What `contains` does, for texts that are not in the database. */
export function textFinder(search: string): (text: string) => boolean {
  const lower = search.toLowerCase();
  if (ascii.test(search)) return (text) => text.toLowerCase().includes(lower);
  const wanted = folded(search);
  return (text) => text.includes(search) || folded(text.slice(0, maxFoldedLength)).includes(wanted);
}

/** Equal for texts that differ in the case of letters or in their Unicode form only. */
function folded(text: string): string {
  // Upper case, because there the sigma at the end of a word is that within it; lower case before, because the upper case of ẞ is not that of ß.
  return text.toLowerCase().toUpperCase().normalize('NFC');
}
