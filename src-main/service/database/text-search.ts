import type Database from 'better-sqlite3';

const ascii = /^[ -~]*$/;
// No language needs more marks on one letter than 30 (UAX #15, Stream-Safe Text Format); the time to put them in order grows with their square.
const endlessMarks = /\p{Mark}{31}/u;

/** A LIKE pattern (escape character backslash) that matches what contains `text`. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * The SQL condition that a text, an expression evaluated more than once, matches a parameter made by `likePattern`, whatever the case of its letters.
 * LIKE ignores that of ASCII letters alone and is several times as fast: it stays the only comparison for a search that holds no others.
 */
export function contains(text: string, pattern: `@${string}`): string {
  return `(${text} LIKE ${pattern} ESCAPE '\\' OR (${pattern} GLOB '*[^ -~]*' AND folded(${text}) LIKE folded(${pattern}) ESCAPE '\\'))`;
}

/** Gives a connection the function that `contains` relies on. */
export function addFolding(database: Database.Database): void {
  database.function('folded', { deterministic: true }, (text: unknown) => (typeof text === 'string' ? folded(text) : text));
}

/** What `contains` does, for texts that are not in the database. */
export function textFinder(search: string): (text: string) => boolean {
  const lower = search.toLowerCase();
  if (ascii.test(search)) return (text) => text.toLowerCase().includes(lower);
  const upper = folded(search);
  return (text) => folded(text).includes(upper);
}

/** Equal for texts that differ in the case of letters or in their Unicode form only. */
function folded(text: string): string {
  // Upper case, because there the sigma at the end of a word is that within it; lower case before, because the upper case of ẞ is not that of ß.
  return composed(composed(text).toLowerCase().toUpperCase());
}

function composed(text: string): string {
  return endlessMarks.test(text) ? text : text.normalize('NFC');
}
