import type { Metadata } from 'h5wasm';

const typeClass = {
  integer: 0,
  float: 1,
  string: 3,
  compound: 6,
  reference: 7,
  enumeration: 8,
  vlen: 9,
  array: 10,
} as const;
const maxItems = 24;
const maxText = 2000;
/** A value beyond this is not read for its text, in bytes. */
export const maxValueBytes = 64 * 1024;

/** Whether values of a type are numbers that can be drawn. */
export function isNumeric({ type, size, vlen }: Metadata): boolean {
  if (vlen) return false;
  if (type === typeClass.integer) return [1, 2, 4, 8].includes(size);
  return type === typeClass.float && (size === 4 || size === 8);
}

/** A type in the words of NumPy. */
export function typeWords({ type, size, signed, vlen, compound_type: compound }: Metadata): string {
  switch (type) {
    case typeClass.integer:
      return `${signed ? '' : 'u'}int${size * 8}`;
    case typeClass.float:
      return `float${size * 8}`;
    case typeClass.string:
      return vlen ? 'text' : `text of ${size} bytes`;
    case typeClass.compound:
      return `record of ${compound?.nmembers ?? 0} members`;
    case typeClass.enumeration:
      return 'enumeration';
    case typeClass.reference:
      return 'reference';
    case typeClass.vlen:
      return 'lists';
    case typeClass.array:
      return 'arrays';
    default:
      return 'opaque bytes';
  }
}

/** A shape such as `1000 × 512`; a single value has none. */
export function shapeWords(shape: readonly number[] | null): string {
  if (shape === null) return 'empty';
  return shape.length === 0 ? 'single value' : shape.join(' × ');
}

/** A value that the library read, as one line. */
export function valueWords(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'string') return value.slice(0, maxText);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (depth > 4) return '…';
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const items = Array.from((value as ArrayLike<unknown>).length > maxItems ? firstOf(value) : (value as unknown[]));
    const words = items.map((item) => valueWords(item, depth + 1)).join(', ');
    return `[${words.slice(0, maxText)}${(value as ArrayLike<unknown>).length > maxItems ? ', …' : ''}]`;
  }
  return 'reference';
}

function firstOf(value: unknown): unknown[] {
  return Array.from({ length: maxItems }, (_, at) => (value as ArrayLike<unknown>)[at]);
}

/** Numbers of any width as doubles. */
export function toDoubles(value: unknown): Float64Array {
  if (typeof value === 'number') return Float64Array.of(value);
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return Float64Array.from(value, Number);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Float64Array.from(value as Float64Array);
  return new Float64Array();
}
