// Each further one costs an index look-up, and rows are compared with the whole text anyway.
const maxTrigrams = 24;

/**
 * A query for an FTS5 index with the tokenizer `trigram` that finds at least every row containing a
 * text, for `detail='none'`, which has no phrase queries.
 *
 * @param text folded as the indexed texts are.
 * @returns null for a text of fewer than three characters, or one that the index cannot find.
 */
export function trigramQuery(text: string): string | null {
  const letters = Array.from(text);
  if (letters.length < 3 || text.includes('\0')) return null;
  const trigrams = new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`));
  return [...trigrams]
    .slice(0, maxTrigrams)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(' AND ');
}
