import fc from 'fast-check';

/** One change of a JSON document: which of its members (counted through), and what becomes of it. */
export interface Edit {
  readonly at: number;
  readonly what: 'replace' | 'remove' | 'rename' | 'wrap' | 'nest' | 'repeat';
  /** A number stands for one of the list below: some of them are too deep to be shown in a counterexample. */
  readonly value: { readonly nasty: number } | { readonly json: unknown };
  readonly name: string;
}

const deep = (depth: number) => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`) as unknown;
const nasty: readonly unknown[] = [
  null,
  true,
  '',
  '\0',
  '\ud800',
  'a\udc00b',
  '__proto__',
  'x'.repeat(70_000),
  0,
  -1,
  1e308,
  -1e-308,
  9_007_199_254_740_991,
  '99999999999999999999',
  '2026-11-21T09:05:15.846240419Z',
  '9999-12-31T23:59:60Z',
  '0000-00-00',
  [],
  {},
  [[]],
  [null],
  { values: null },
  { values: { values: { values: [] } } },
  { values: [{ stacktrace: { frames: [{ vars: [1], pre_context: [null, 'a'], lineno: '7' }] } }] },
  { formatted: {}, message: [], params: 'x' },
  { frames: {} },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  [['a', 'b'], ['a'], [], [null, null], [{}, {}]],
  deep(50),
  deep(500),
];
const names = [
  'values',
  'exception',
  'stacktrace',
  'frames',
  'message',
  'logentry',
  'params',
  'tags',
  'user',
  'timestamp',
  'level',
  'threads',
  'breadcrumbs',
  'fingerprint',
  'contexts',
  'extra',
  'request',
  'debug_meta',
  'images',
  'sdk',
  'modules',
  'vars',
  'in_app',
  'mechanism',
  '__proto__',
  'constructor',
  'toString',
  '',
  'x'.repeat(300),
];

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    at: fc.nat(5000),
    what: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'rename', 'wrap', 'nest', 'repeat'),
    value: fc.oneof(
      { weight: 3, arbitrary: fc.record({ nasty: fc.nat(nasty.length - 1) }) },
      { weight: 1, arbitrary: fc.record({ json: fc.jsonValue() }) },
    ),
    name: fc.oneof(fc.constantFrom(...names), fc.string()),
  }),
  { minLength: 1, maxLength: 6 },
);

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

function placesOf(root: unknown): Place[] {
  const places: Place[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0 && places.length < 5000) {
    const one = waiting.pop();
    if (Array.isArray(one)) one.forEach((value, key) => (places.push({ holder: one, key }), waiting.push(value)));
    else if (typeof one === 'object' && one !== null)
      Object.entries(one).forEach(
        ([key, value]) => (places.push({ holder: one as Record<string, unknown>, key }), waiting.push(value)),
      );
  }
  return places;
}

/** A changed copy of a document. */
export function edited(document: unknown, changes: readonly Edit[]): unknown {
  const copy: unknown = structuredClone(document);
  let repeated = false;
  for (const { at, what, value, name } of changes) {
    const places = placesOf(copy);
    const place = places[at % Math.max(places.length, 1)];
    if (!place) continue;
    const holder = place.holder as Record<string | number, unknown>;
    const old = holder[place.key];
    // A copy: a later change of this document must not reach into the next one.
    if (what === 'replace') holder[place.key] = structuredClone('nasty' in value ? nasty[value.nasty] : value.json);
    else if (what === 'remove') Reflect.deleteProperty(holder, place.key);
    else if (what === 'rename' && !Array.isArray(holder))
      Object.defineProperty(holder, name, { value: old, enumerable: true, configurable: true, writable: true });
    else if (what === 'wrap') holder[place.key] = [old];
    else if (what === 'nest') holder[place.key] = { values: old };
    else if (!repeated) {
      // Once: what is repeated could be repeated again, and again.
      repeated = true;
      holder[place.key] = Array.from({ length: 300 }, () => old);
    }
  }
  return copy;
}

/** One change of bytes. */
export interface Cut {
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

export const cuts: fc.Arbitrary<readonly Cut[]> = fc.array(
  fc.record({
    at: fc.nat(6000),
    length: fc.oneof(fc.nat(4), fc.nat(2000)),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom(
          '\n',
          '\n\n',
          '{}',
          '{',
          '"',
          '\\',
          '\\u0000',
          '\\ud800',
          '"length":0,',
          '"length":-1,',
          '"length":1e99,',
          '{"type":"event"}\n',
          '{"type":"session"}\n{}\n',
          '99999999999999999999',
          '\uFEFF',
          '[[[[',
        )
        .map((text) => new Uint8Array(Buffer.from(text))),
    ),
  }),
  { maxLength: 5 },
);

export function cut(body: Buffer, changes: readonly Cut[]): Buffer {
  return changes.reduce((now, { at, length, bytes }) => {
    const from = at % (now.length + 1);
    return Buffer.concat([now.subarray(0, from), bytes, now.subarray(from + length)]);
  }, body);
}
