const id = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const index = /^(?:0|[1-9]\d{0,9})$/;
const maxIndex = 2_147_483_647;

/** Whether a text can be the id of a measurement. */
export function isMeasurementId(text: string): boolean {
  return id.test(text);
}

/** A file's index as it may stand in a path: a non-negative int32 in its one decimal form; null for everything else. */
export function parseIndex(text: string): number | null {
  if (!index.test(text)) return null;
  const value = Number(text);
  return value <= maxIndex ? value : null;
}
