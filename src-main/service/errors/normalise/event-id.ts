const dashes = /-/g;
const hex = /^[0-9a-f]{32}$/;

/**
 * Reads the id of an event or session, with or without dashes, as 32 hexadecimal digits; null when
 * it is not an id.
 */
export function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const id = value.trim().replaceAll(dashes, '').toLowerCase();
  return hex.test(id) ? id : null;
}
