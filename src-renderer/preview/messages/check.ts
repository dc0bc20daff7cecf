/** Returns a value if it has the form that this check describes; throws a TypeError otherwise. */
export type Check<T> = (value: unknown) => T;

/** The type of the values that a check lets pass. */
export type Checked<C> = C extends Check<infer T> ? T : never;

function wrong(expected: string): never {
  throw new TypeError(`A message has no ${expected} where one belongs`);
}

export const text: Check<string> = (value) => (typeof value === 'string' ? value : wrong('text'));
export const flag: Check<boolean> = (value) => (typeof value === 'boolean' ? value : wrong('boolean'));
export const finite: Check<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : wrong('number');
/** A whole number from 0. */
export const count: Check<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : wrong('whole number');
export const bytes: Check<Uint8Array> = (value) => (value instanceof Uint8Array ? value : wrong('bytes'));
export const doubles: Check<Float64Array> = (value) => (value instanceof Float64Array ? value : wrong('doubles'));
export const singles: Check<Float32Array> = (value) => (value instanceof Float32Array ? value : wrong('floats'));
export const bitmap: Check<ImageBitmap> = (value) => (value instanceof ImageBitmap ? value : wrong('picture'));

export function literal<const T extends string>(...allowed: readonly T[]): Check<T> {
  return (value) => allowed.find((one) => one === value) ?? wrong(allowed.join(' or '));
}

/** One of these numbers. */
export function oneOf<const T extends number>(...allowed: readonly T[]): Check<T> {
  return (value) => allowed.find((one) => one === value) ?? wrong(allowed.join(' or '));
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value) => (value === null ? null : check(value));
}

export function list<T>(check: Check<T>, maxLength = 1_000_000): Check<readonly T[]> {
  return (value) =>
    Array.isArray(value) && value.length <= maxLength ? value.map((one: unknown) => check(one)) : wrong('list');
}

/** An object with these members; others are left out. */
export function record<T extends object>(members: { readonly [K in keyof T]: Check<T[K]> }): Check<T> {
  return (value) => {
    if (typeof value !== 'object' || value === null) return wrong('object');
    const given = value as Readonly<Record<string, unknown>>;
    const pairs = Object.entries<Check<unknown>>(members).map(([name, check]) => [name, check(given[name])]);
    return Object.fromEntries(pairs) as T;
  };
}

/** One of several records, told apart by their `kind`. */
export function byKind<T extends { readonly kind: string }>(variants: {
  readonly [K in T['kind']]: Check<Extract<T, { readonly kind: K }>>;
}): Check<T> {
  const checks: Readonly<Record<string, Check<T>>> = variants;
  return (value) => {
    const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
    const check = typeof kind === 'string' && Object.hasOwn(checks, kind) ? checks[kind] : undefined;
    return check === undefined ? wrong('known kind') : check(value);
  };
}
