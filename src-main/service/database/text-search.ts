import type Database from 'better-sqlite3';

const ascii = /^[ -~]*$/;
// The time to put marks on one letter in their order grows with their square, and errors come from outside. Names and titles are shorter.
const longestFolded = 500;

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
  const begin = `folded(substr(${text}, 1, ${longestFolded}))`;
  return `(${text} LIKE ${pattern} ESCAPE '\\' OR (${pattern} GLOB '*[^ -~]*' AND ${begin} LIKE folded(${pattern}) ESCAPE '\\'))`;
}

/** Gives a connection the function that `contains` relies on. */
export function addFolding(database: Database.Database): void {
  database.function('folded', { deterministic: true }, (text: unknown) => (typeof text === 'string' ? folded(text) : text));
}

/** What `contains` does, for texts that are not in the database. */
export function textFinder(search: string): (text: string) => boolean {
  const lower = search.toLowerCase();
  if (ascii.test(search)) return (text) => text.toLowerCase().includes(lower);
  const wanted = folded(search);
  return (text) => text.includes(search) || folded(text.slice(0, longestFolded)).includes(wanted);
}

/** Equal for texts that differ in the case of letters or in their Unicode form only. */
function folded(text: string): string {
  // Upper case, because there the sigma at the end of a word is that within it; lower case before, because the upper case of ẞ is not that of ß.
  return text.toLowerCase().toUpperCase().normalize('NFC');
}
