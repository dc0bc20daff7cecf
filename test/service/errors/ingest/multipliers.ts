import fc from 'fast-check';

/** One way to make much of little: what is repeated, how often, and of what. */
export interface Multiplier {
  readonly kind: keyof typeof kinds;
  readonly count: number;
  readonly part: keyof typeof parts;
  /** How large one part is. */
  readonly size: number;
}

const repeated = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const nested = (depth: number): unknown => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);

const parts = {
  text: (size: number): unknown => 'x'.repeat(size),
  wide: (size: number): unknown => '\u0436'.repeat(size),
  escaped: (size: number): unknown => '\u0001"\\'.repeat(size),
  secret: (size: number): unknown => 'pwd=1&'.repeat(size),
  address: (size: number): unknown => '://:a@'.repeat(size),
  'secret members': (size: number): unknown => `{${'"pwd":1,'.repeat(size)}`,
  lists: (size: number): unknown => repeated(size, () => []),
  'lists of lists': (size: number): unknown => repeated(size, () => [[[[]]]]),
  objects: (size: number): unknown => repeated(size, () => ({ a: '' })),
  members: (size: number): unknown => Object.fromEntries(repeated(size, (at) => [`k${at}`, 1])),
  'long names': (size: number): unknown =>
    Object.fromEntries(repeated(Math.min(size, 3000), (at) => [`${at}${'k'.repeat(300)}`, 0])),
  secrets: (size: number): unknown => Object.fromEntries(repeated(size, (at) => [`pwd-${at}`, 0])),
  numbers: (size: number): unknown => repeated(size, () => 1e20),
  nested: (size: number): unknown => nested(Math.min(size, 2000)),
};

const frame = (part: unknown) => (at: number) => ({ function: `f${at}`, module: part, vars: part, context_line: part });
const frames = (count: number, part: unknown) => ({ frames: repeated(count, frame(part)) });

// Events that repeat one part `count` times.
const kinds = {
  positions: (count: number, part: unknown) => ({ logentry: { message: '{0}'.repeat(count), params: [part] } }),
  'signs of a list': (count: number, part: unknown) => ({
    logentry: { message: '%s'.repeat(count), params: repeated(Math.min(count, 100), () => part) },
  }),
  names: (count: number, part: unknown) => ({ message: { message: '%(a)s{a}'.repeat(count), params: { a: part } } }),
  fingerprint: (count: number, part: unknown) => ({
    fingerprint: [...repeated(count, () => '{{ default }}'), part],
    exception: [{ type: 'A', stacktrace: frames(Math.min(4 * count, 250), 'm'.repeat(300)) }],
  }),
  chain: (count: number, part: unknown) => ({
    exception: { values: repeated(count, () => ({ type: part, value: part, stacktrace: frames(3, part) })) },
  }),
  stack: (count: number, part: unknown) => ({ exception: [{ type: 'A', stacktrace: frames(count, part) }] }),
  'one stack': (count: number, part: unknown) => ({ stacktrace: frames(count, part), exception: [{ type: part }] }),
  threads: (count: number, part: unknown) => ({
    threads: repeated(count, (id) => ({ id, name: part, crashed: true, stacktrace: frames(2, part) })),
  }),
  breadcrumbs: (count: number, part: unknown) => ({
    breadcrumbs: repeated(count, () => ({ message: part, data: { part } })),
  }),
  tags: (count: number, part: unknown) => ({ tags: repeated(count, (at) => [`t${at}`, part]) }),
  modules: (count: number, part: unknown) => ({
    modules: Object.fromEntries(repeated(count, (at) => [`m${at}`, part])),
  }),
  images: (count: number, part: unknown) => ({
    debug_meta: { images: repeated(count, () => ({ type: 'sourcemap', code_file: part, debug_id: '0'.repeat(32) })) },
  }),
  contexts: (count: number, part: unknown) => ({
    contexts: Object.fromEntries(repeated(count, (at) => [`c${at}`, { part }])),
    extra: { part },
  }),
  request: (count: number, part: unknown) => ({
    request: { url: part, headers: repeated(count, () => ['Cookie', part]), data: part, query_string: part },
  }),
  user: (count: number, part: unknown) => ({
    user: { id: part, username: part, ...Object.fromEntries(repeated(count, (at) => [`u${at}`, part])) },
  }),
};

// Small ones mostly: what multiplies shows with them already, and a million of them are to be tried.
const amount = (most: number) =>
  fc.oneof(
    { weight: 300, arbitrary: fc.nat(8) },
    { weight: 30, arbitrary: fc.nat(60) },
    { weight: 4, arbitrary: fc.nat(800) },
    { weight: 1, arbitrary: fc.nat(most) },
  );

export const multipliers: fc.Arbitrary<readonly Multiplier[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
    count: amount(6000),
    part: fc.constantFrom(...(Object.keys(parts) as (keyof typeof parts)[])),
    size: amount(20_000),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The values that a template or a fingerprint names most often, as large as it can be: chance seldom makes both at once. */
export const multiplierVariants: readonly Multiplier[] = (['positions', 'names', 'fingerprint'] as const).flatMap(
  (kind) => (Object.keys(parts) as (keyof typeof parts)[]).map((part) => ({ kind, count: 5000, part, size: 60_000 })),
);

/** An event with all of them put over it, as JSON; null where that is longer than an event may be. */
export function multiplied(document: object, multiplier: readonly Multiplier[], maxBytes: number): Buffer | null {
  const event: Record<string, unknown> = { ...document };
  let bytes = 0;
  for (const { kind, count, part, size } of multiplier) {
    const made = parts[part](size);
    // Known roughly before it is made: a template has its parameter once.
    const times = kind === 'positions' || kind === 'names' || kind === 'fingerprint' ? 1 : count;
    bytes += times * JSON.stringify(made).length;
    if (bytes > maxBytes) return null;
    Object.assign(event, kinds[kind](count, made));
  }
  const body = Buffer.from(JSON.stringify(event));
  return body.length > maxBytes ? null : body;
}
