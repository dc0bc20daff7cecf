import type Database from 'better-sqlite3';
import { like, perEngine } from './port/dialect.ts';

const ascii = /^[ -~]*$/;
// Ordering the combining marks of one letter takes quadratic time, and texts of errors are
// untrusted. Names and titles are shorter.
const maxFoldedLength = 500;

/** A LIKE pattern (escape character backslash) that matches texts that contain `text`. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * The SQL condition that a text, an expression evaluated more than once, matches a parameter made
 * by `likePattern`, whatever the case of its letters. LIKE ignores the case of ASCII letters only
 * and is several times as fast: it remains the only comparison for a search with only ASCII
 * letters, and for text after the first 500 characters.
 */
export function contains(text: string, pattern: `@${string}`): string {
  const begin = `folded(substr(${text}, 1, ${maxFoldedLength}))`;
  const notAscii = perEngine(`${pattern} GLOB '*[^ -~]*'`, `${pattern} ~ '[^ -~]'`);
  return `(${like(text, pattern)} OR (${notAscii} AND ${begin} LIKE folded(${pattern}) ESCAPE '\\'))`;
}

/**
 * `contains` for PostgreSQL, where to find a text takes a third of the time of ILIKE.
 *
 * @param word made by `lowerAscii`.
 * @param pattern made by `foldedPattern`.
 */
export function containsWord(text: string, word: `@${string}`, pattern: `@${string}`): string {
  const begin = `folded(substr(${text}, 1, ${maxFoldedLength}))`;
  return `(strpos(lower(${text}), ${word}) > 0 OR (${pattern} <> '' AND ${begin} LIKE folded(${pattern}) ESCAPE '\\'))`;
}

/** A word for `containsWord`: its ASCII letters in lower case, as "lower" makes them in columns with the collation "C". */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The `likePattern` of a word with other letters than those of ASCII, which are compared in their folded form; otherwise empty. */
export function foldedPattern(text: string): string {
  return ascii.test(text) ? '' : likePattern(text);
}

/** Registers the functions that `contains` and the migrations use on a connection. */
export function addFolding(database: Database.Database): void {
  database.function('folded', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? folded(text) : text,
  );
  database.function('folded_key', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? foldedKey(text) : text,
  );
}

/**
 * A form of a text that is equal for texts that differ only in case or Unicode form: columns that
 * hold it sort and are searched without regard to case. ASCII letters are lower case, so that they
 * sort as they do without regard to case in SQLite (NOCASE) and PostgreSQL (lower). After the first
 * 500 characters only the case of ASCII letters is ignored.
 */
export function foldedKey(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const key = folded(text.slice(0, maxFoldedLength)) + text.slice(maxFoldedLength);
  return lowerAscii(key);
}

/** The condition of `contains`, for texts that are not in the database. */
export function textFinder(search: string): (text: string) => boolean {
  const lower = search.toLowerCase();
  if (ascii.test(search)) return (text) => text.toLowerCase().includes(lower);
  const wanted = folded(search);
  return (text) => text.includes(search) || folded(text.slice(0, maxFoldedLength)).includes(wanted);
}

/** Equal for texts that differ only in the case of letters or in their Unicode form. */
function folded(text: string): string {
  // Upper case, because it is the same for a final sigma and any other; lower case first, because
  // the upper case of ẞ is not that of ß.
  return text.toLowerCase().toUpperCase().normalize('NFC');
}
