const dashes = /-/g;
const hex = /^[0-9a-f]{32}$/;

/** An event's or session's id as 32 hexadecimal digits, whether it came with dashes or without; null when it is none. */
export function eventIdOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const id = value.trim().replaceAll(dashes, '').toLowerCase();
  return hex.test(id) ? id : null;
}
