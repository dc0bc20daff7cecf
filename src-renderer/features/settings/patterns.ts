const maxPatterns = 200;
const maxPatternLength = 200;

/** The patterns of a text, one per line, without duplicates and empty lines. */
export function patternsOf(text: string): readonly string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

/** The first error in the patterns, or null. */
export function problemOfPatterns(patterns: readonly string[]): string | null {
  if (patterns.length > maxPatterns) return `There are ${patterns.length} patterns; the maximum is ${maxPatterns}.`;
  const tooLong = patterns.find((pattern) => pattern.length > maxPatternLength);
  if (tooLong !== undefined) return `“${tooLong.slice(0, 24)}…” is longer than ${maxPatternLength} characters.`;
  // A name never contains a slash, so such a pattern would match nothing.
  const inside = patterns.find((pattern) => pattern.slice(0, -1).includes('/'));
  return inside === undefined
    ? null
    : `“${inside}” has a slash inside, but patterns are compared with single names. Put a slash only at the end, for a folder.`;
}
