const maxTextLength = 10_000;

/** A member of what should be an object; undefined otherwise. What another server sends may be of any shape. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** A list, or none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** A text or a number as a text, shortened; null for anything else and for the empty text. */
export function asText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, maxTextLength) : null;
}

/** A member as a text; null as for `asText`. */
export function textOf(value: unknown, name: string): string | null {
  return asText(memberOf(value, name));
}

/** A count, which Sentry writes as a text here and as a number there. */
export function countOf(value: unknown, name: string): number {
  const count = Math.floor(Number(textOf(value, name) ?? 0));
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** A member that is a whole number; null for anything else, numbers written as text included. */
export function integerOf(value: unknown, name: string): number | null {
  const found = memberOf(value, name);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

/** A copy of a member that is an object; empty for anything else. */
export function objectOf(value: unknown, name: string): Record<string, unknown> {
  const found = memberOf(value, name);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {};
}

/** A point in time in our form; null for what is none. */
export function timeOf(value: unknown, name: string): string | null {
  const text = textOf(value, name);
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
