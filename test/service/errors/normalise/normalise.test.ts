import { describe, expect, it } from 'vitest';
import { readTime } from '../../../../src-main/service/errors/normalise/normalise-time.ts';
import {
  compressEvent,
  asDictionary,
  unpackEvent,
  unpackDictionary,
} from '../../../../src-main/service/errors/store/stored-event.ts';
import { normalise, receivedAt } from './normalised.ts';

describe('lists in their three shapes', () => {
  const exception = { type: 'A', value: 'b' };
  it.each([
    ['a list', [exception]],
    ['values', { values: [exception] }],
    ['a single one', exception],
    ['values with one object', { values: exception }],
    ['with what is none between', [null, exception, 7, 'x', []]],
  ])('exceptions: %s', (_what, value) => {
    expect(normalise({ exception: value }).exceptions).toMatchObject([
      { type: 'A', value: 'b', module: null, handled: null, synthetic: false, frames: [] },
    ]);
  });
  it.each([[[{ message: 'm' }]], [{ values: [{ message: 'm' }] }], [{ message: 'm' }]])('breadcrumbs: %j', (value) => {
    expect(normalise({ breadcrumbs: value }).breadcrumbs).toEqual([
      { timestamp: null, type: null, category: null, level: null, message: 'm', data: null },
    ]);
  });
  it.each([[[{ id: 1 }]], [{ values: [{ id: 1 }] }], [{ id: 1 }]])('threads: %j', (value) => {
    expect(normalise({ threads: value }).threads).toEqual([
      { id: '1', name: null, crashed: false, current: false, frames: [] },
    ]);
  });
  it.each([
    [{ bench: 'A', n: 1, no: null }],
    [
      [
        ['bench', 'A'],
        ['n', 1],
        ['no', null],
      ],
    ],
    [
      [
        { key: 'bench', value: 'A' },
        { key: 'n', value: 1 },
      ],
    ],
  ])('tags: %j', (value) => {
    expect(normalise({ tags: value }).tags).toEqual([
      ['bench', 'A'],
      ['n', '1'],
    ]);
  });
  it.each([['exception'], ['threads'], ['breadcrumbs'], ['tags']])('%s of nothing', (name) => {
    for (const nothing of [null, '', 0, [], {}, { values: null }, { values: [] }, 'text', true]) {
      if (name !== 'tags' || !Object.hasOwn(Object(nothing) as object, 'values'))
        expect(normalise({ [name]: nothing })).toMatchObject({
          exceptions: [],
          threads: [],
          breadcrumbs: [],
          tags: [],
        });
    }
  });
});

describe('messages', () => {
  it.each([
    ['a text', { message: 'm' }, { formatted: 'm', template: null, params: null }],
    ['formatted', { message: { formatted: 'm' } }, { formatted: 'm', template: null, params: null }],
    ['logentry alone', { logentry: { message: 'm' } }, { formatted: 'm', template: null, params: null }],
    [
      'a template with a list',
      { logentry: { message: 'a %s of %d%%', params: ['b', 2] } },
      { formatted: 'a b of 2%', template: 'a %s of %d%%', params: ['b', 2] },
    ],
    [
      'a template with names',
      { logentry: { message: '%(x)s {y} {z}', params: { x: 1, y: 'b' } } },
      { formatted: '1 b {z}', template: '%(x)s {y} {z}', params: { x: 1, y: 'b' } },
    ],
    [
      'everything',
      { message: 'm', logentry: { message: 't %s', formatted: 'f', params: ['p'] } },
      { formatted: 'f', template: 't %s', params: ['p'] },
    ],
    [
      'the old name',
      { 'sentry.interfaces.Message': { message: 't', params: [] } },
      { formatted: 't', template: 't', params: [] },
    ],
    ['nothing', { message: '' }, null],
    ['null', { message: null, logentry: null }, null],
  ] as const)('%s', (_what, payload, message) => {
    expect(normalise(payload).message).toEqual(message);
  });
});

it.each([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['WARN', 'warning'],
  ['log', 'info'],
  [40, 'error'],
  [undefined, 'error'],
  ['__proto__', 'error'],
  [{}, 'error'],
])('the level %j is %s', (level, expected) => {
  expect(normalise({ level }).level).toBe(expected);
});

describe('times', () => {
  const second = Date.UTC(2026, 10, 21, 9, 5, 15);
  it.each([
    ['2026-11-21T09:05:15Z', 0],
    ['2026-11-21T09:05:15', 0],
    ['2026-11-21 09:05:15', 0],
    ['2026-11-21T09:05:15.8Z', 800],
    ['2026-11-21T09:05:15.846Z', 846],
    ['2026-11-21T09:05:15.846240419Z', 846],
    ['2026-11-21T09:05:15.84', 840],
    ['2026-11-21T10:05:15+01:00', 0],
    ['2026-11-21T10:05:15+0100', 0],
    ['2026-11-21T04:05:15-05', 0],
    [second / 1000, 0],
    [second / 1000 + 0.846, 846],
    [String(second / 1000), 0],
    [second, 0],
    [second * 1000, 0],
  ])('%j is read', (value, millisecond) => {
    expect(readTime(value)).toBe(second + millisecond);
  });
  it.each([
    ['yesterday'],
    [''],
    ['2026-13-01T00:00:00Z'],
    ['2026-11-21T09:65:00Z'],
    [-1],
    [NaN],
    [Infinity],
    [1e300],
    [null],
    [{}],
    [[]],
    [true],
    ['9'.repeat(30)],
  ])('%j is not a time', (value) => {
    expect(readTime(value)).toBeNull();
  });

  const occurred = (timestamp: unknown, sentAt: number | null = null) =>
    Date.parse(normalise({ timestamp }, { sentAt }).occurred_at) - receivedAt;
  it('a clock that is years off is corrected by the time of sending', () => {
    const wrong = Date.UTC(2001, 0, 1);
    expect(occurred((wrong - 5000) / 1000, wrong)).toBe(-5000);
    expect(occurred('2099-01-01T00:00:00Z', Date.UTC(2099, 0, 1, 0, 0, 3))).toBe(-3000);
  });
  it('a short delay before sending is not corrected', () => {
    expect(occurred((receivedAt - 10_000) / 1000, receivedAt - 9000)).toBe(-10_000);
  });
  it.each([['2001-01-01T00:00:00Z'], ['2099-01-01T00:00:00Z'], [undefined], ['nonsense']])(
    '%j without a time of sending is when it was received',
    (timestamp) => {
      expect(occurred(timestamp)).toBe(0);
    },
  );
  it('breadcrumbs keep their distance to the event', () => {
    const wrong = Date.UTC(2001, 0, 1);
    const event = normalise(
      { timestamp: wrong / 1000, breadcrumbs: [{ timestamp: (wrong - 3000) / 1000 }] },
      { sentAt: wrong },
    );
    expect(Date.parse(event.occurred_at) - Date.parse(event.breadcrumbs[0]?.timestamp ?? '')).toBe(3000);
  });
});

it('the user is identified by the sent fields, and {{auto}} is the address of the sender', () => {
  expect(normalise({ user: { id: 7, ip_address: '{{auto}}', segment: null, name: 'Alice' } }).user).toEqual({
    id: '7',
    username: null,
    email: null,
    ip_address: '192.0.2.7',
    more: { name: 'Alice' },
  });
  expect(normalise({ user: { id: null, username: '' } }).user).toBeNull();
});

it.each([
  [undefined, []],
  [null, []],
  [[], []],
  ['one', ['one']],
  [
    ['{{ default }}', 7, true, null],
    ['{{ default }}', '7', 'true'],
  ],
])('the fingerprint %j becomes %j', (fingerprint, parts) => {
  expect(normalise({ fingerprint }).fingerprint).toEqual(parts);
});

it.each([
  ['66E6E3E2-99D3-424A-BCAF-677D9559AF1A', '66e6e3e299d3424abcaf677d9559af1a'],
  ['66e6e3e299d3424abcaf677d9559af1a', '66e6e3e299d3424abcaf677d9559af1a'],
])('the id %s is %s', (id, expected) => {
  expect(normalise({ event_id: id }).event_id).toBe(expected);
});

it('an unreadable id is replaced, and the id of the envelope wins', () => {
  for (const event_id of [undefined, 7, '', 'x'.repeat(32), '66e6'])
    expect(normalise({ event_id }).event_id).toMatch(/^[0-9a-f]{32}$/);
  expect(normalise({ event_id: 'a'.repeat(32) }, { eventId: 'b'.repeat(32) }).event_id).toBe('b'.repeat(32));
});

it('a stored event is decompressed, with a dictionary or without; damaged or unknown formats are an error', () => {
  const event = normalise({
    message: 'ä😀',
    extra: { a: [1, null, 'x'], text: 'what events of one group have in common '.repeat(20) },
  });
  const alone = compressEvent(event, null);
  expect(unpackEvent(alone, null)).toEqual(event);
  expect(() => unpackEvent(Buffer.concat([Buffer.of(9), alone.subarray(1)]), null)).toThrow('unknown form 9');
  expect(() => unpackEvent(alone.subarray(0, 20), null)).toThrow();

  const other = { ...event, event_id: '7'.repeat(32) };
  const beside = compressEvent(other, unpackDictionary(alone));
  expect(beside.length).toBeLessThan(alone.length / 2);
  expect(unpackEvent(beside, alone)).toEqual(other);
  expect(() => unpackEvent(beside, null)).toThrow('missing');
  expect(() => unpackEvent(beside, compressEvent(normalise({ message: 'another' }), null))).toThrow();
  expect(unpackEvent(asDictionary, alone)).toEqual(event);
});
