import type { Buffer } from 'node:buffer';

// Only then is the slower reading with sources worth it. Fractions of a second have as many digits, and do not count.
const longDigits = /[:,[\s]-?\d{16,}[\s,\]}]/;
const integer = /^-?\d+$/;

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Reads JSON that a stranger sent. Integers beyond 2^53 come as texts, because ids among them must not change.
 *
 * @throws SyntaxError when it is not JSON.
 */
export function parseJson(bytes: Buffer): unknown {
  const text = textOf(bytes);
  return longDigits.test(text) ? parseExactly(text) : JSON.parse(text);
}

/** The text of JSON, without the mark that some programs begin it with. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** As `parseJson`, for a text that is known to hold such integers: several times slower than JSON.parse. */
export function parseExactly(text: string): unknown {
  try {
    const revive: Reviver = (_key, value, context) => (isInexact(value) ? (exact(context?.source) ?? value) : value);
    return JSON.parse(text, revive);
  } catch (error) {
    // Reviving recurses, plain reading does not: what is nested too deep for it will be cut there anyway.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

function isInexact(value: unknown): boolean {
  return (
    typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  );
}

function exact(source: string | undefined): string | null {
  return source !== undefined && integer.test(source) ? source : null;
}

/** The value as an object with members; null for everything else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
