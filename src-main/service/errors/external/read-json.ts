const maxTextLength = 10_000;

/**
 * Returns a member of an object; undefined when the value is not an object or lacks it. External
 * servers may send any shape.
 */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/**
 * Returns a text or a number as a text, shortened; null for other values and for the empty text.
 */
export function asText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, maxTextLength) : null;
}

/** Returns a member as a text; null as in `asText`. */
export function textMember(value: unknown, name: string): string | null {
  return asText(memberOf(value, name));
}

/** Returns a count, which Sentry sends as a text or as a number. */
export function countMember(value: unknown, name: string): number {
  const count = Math.floor(Number(textMember(value, name) ?? 0));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Returns a member that is an integer; null for other values, including numbers as text. */
export function integerMember(value: unknown, name: string): number | null {
  const found = memberOf(value, name);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

/** Returns a copy of a member that is an object; empty for other values. */
export function objectMember(value: unknown, name: string): Record<string, unknown> {
  const found = memberOf(value, name);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {};
}

/** Returns a point in time as ISO 8601; null when it is not a time. */
export function timeMember(value: unknown, name: string): string | null {
  const text = textMember(value, name);
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
