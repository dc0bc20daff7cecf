const index = /^(?:0|[1-9]\d{0,9})$/;
const maxIndex = 2_147_483_647;

/**
 * Parses the file index of a URL path: a non-negative int32 in canonical decimal form; null for
 * anything else.
 */
export function parseIndex(text: string): number | null {
  if (!index.test(text)) return null;
  const value = Number(text);
  return value <= maxIndex ? value : null;
}
