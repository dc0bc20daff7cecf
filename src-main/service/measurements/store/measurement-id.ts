const id = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const index = /^(?:0|[1-9]\d{0,9})$/;
const maxIndex = 2_147_483_647;

/** Whether a text is a valid measurement id. */
export function isMeasurementId(text: string): boolean {
  return id.test(text);
}

/**
 * Parses the file index of a URL path: a non-negative int32 in canonical decimal form; null for
 * anything else.
 */
export function parseIndex(text: string): number | null {
  if (!index.test(text)) return null;
  const value = Number(text);
  return value <= maxIndex ? value : null;
}
