import type { Buffer } from 'node:buffer';

// Detects texts that need the slower `parseLargeIntegers`. Fractions of a second have as many digits and
// are excluded.
const longDigits = /[:,[\s]-?\d{16,}[\s,\]}]/;
const integer = /^-?\d+$/;

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Parses untrusted JSON. Integers beyond 2^53 become texts, so that ids among them keep their
 * value.
 *
 * @throws SyntaxError when it is not JSON.
 */
export function parseEventJson(bytes: Buffer): unknown {
  const text = decodeJson(bytes);
  return longDigits.test(text) ? parseLargeIntegers(text) : JSON.parse(text);
}

/** Decodes the text of JSON without the byte order mark that some programs write. */
export function decodeJson(bytes: Buffer): string {
  const text = bytes.toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Parses a text known to hold integers beyond 2^53; several times slower than JSON.parse. */
export function parseLargeIntegers(text: string): unknown {
  try {
    const revive: Reviver = (_key, value, context) => (isInexact(value) ? (exact(context?.source) ?? value) : value);
    return JSON.parse(text, revive);
  } catch (error) {
    // Reviving is recursive, plain parsing is not; values nested this deep are cut later anyway.
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

/** Returns the value if it is an object with members, otherwise null. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
