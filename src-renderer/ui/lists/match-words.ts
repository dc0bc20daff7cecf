/**
 * Whether every typed word starts a word of the text, or occurs in it when longer than one letter.
 */
export function matchWords(text: string, typed: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '')
    .every((part) => words.some((word) => word.startsWith(part) || (part.length > 1 && word.includes(part))));
}
