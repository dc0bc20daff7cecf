import { describe, expect, it } from 'vitest';
import { prepareEvent } from '../../../../src-main/service/errors/events/prepare-event.ts';
import { context, normalise, prepare } from './normalised.ts';

describe('hostile values', () => {
  it('ids beyond 2^53 are kept exactly', () => {
    const event = prepare(
      '{"extra":{"a":12345678901234567890,"b":[-98765432109876543],"c":1.5,"d":0.1234567890123450},"user":{"id":9007199254740993}}',
    );
    expect(event.extra).toEqual({ a: '12345678901234567890', b: ['-98765432109876543'], c: 1.5, d: 0.123456789012345 });
    expect(event.user?.id).toBe('9007199254740993');
  });
  it('__proto__ changes nothing', () => {
    const event = prepare(
      '{"__proto__":{"level":"fatal"},"extra":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},"modules":{"__proto__":"1"},"tags":{"__proto__":"1"}}',
    );
    expect(event.level).toBe('error');
    expect(Object.keys(event.extra)).toEqual(['constructor']);
    expect(event.modules).toEqual({});
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(event.shortened).toBe(true);
  });
  it('NUL and lone surrogates are removed', () => {
    const event = prepare(
      String.raw`{"message":"a\u0000b\ud800c\udc00d😀","extra":{"k\u0000\ud800":"\u0000"},"tags":{"t":"\u0000"}}`,
    );
    expect(event.message?.formatted).toBe('ab\ufffdc\ufffdd😀');
    expect(event.extra).toEqual({ 'k\ufffd': '' });
    expect(event.tags).toEqual([]);
  });
  it.each([
    ['lists', '['.repeat(10_000), ']'.repeat(10_000)],
    ['objects', '{"a":'.repeat(10_000) + '1', '}'.repeat(10_000)],
    ['lists with a long number', `[12345678901234567890,`.repeat(10_000) + '1', ']'.repeat(10_000)],
  ])('%s 10,000 deep are truncated', (_what, open, close) => {
    const deep = `${open}${close}`;
    for (const name of [
      'extra',
      'exception',
      'breadcrumbs',
      'user',
      'contexts',
      'tags',
      'message',
      'request',
      'fingerprint',
      'logentry',
    ]) {
      expect(() => prepare(`{"${name}":${deep}}`)).not.toThrow();
      expect(() => prepare(`{"${name}":{"values":${deep},"a":${deep},"params":${deep}}}`)).not.toThrow();
    }
    expect(JSON.stringify(prepare(`{"extra":{"a":${deep}}}`).extra).length).toBeLessThan(10_000);
    expect(prepare(`{"extra":{"a":${deep}}}`).shortened).toBe(true);
  });
  it('a surrogate pair is not split', () => {
    expect(normalise({ environment: `${'x'.repeat(254)}😀` }).environment).toBe('x'.repeat(254));
  });
  it('a megabyte of small parts becomes a small event', () => {
    const many = (part: string) =>
      `[${Array.from({ length: Math.floor(1_000_000 / (part.length + 1)) }, () => part).join(',')}]`;
    for (const body of [
      `{"breadcrumbs":${many('{"a":1}')}}`,
      `{"exception":${many('{"stacktrace":{"frames":[{},{}]}}')}}`,
      `{"threads":${many('{"stacktrace":{"frames":[{},{},{},{}]}}')}}`,
      `{"extra":{"a":${many('{"a":1}')}}}`,
    ]) {
      const event = prepare(body);
      expect(JSON.stringify(event).length).toBeLessThan(1_500_000);
      expect(event.shortened).toBe(true);
    }
  });
  it('an endless recursion keeps its outermost and its newest frames', () => {
    const frames = Array.from({ length: 5000 }, (_, lineno) => ({ lineno }));
    const kept = normalise({ exception: { stacktrace: { frames } } }).exceptions[0]?.frames ?? [];
    expect(kept).toHaveLength(250);
    expect([kept[0]?.line, kept[49]?.line, kept[50]?.line, kept.at(-1)?.line]).toEqual([0, 49, 4800, 4999]);
  });
  it.each([[null], [[]], ['text'], [7], [{ frames: 'x' }], [{ frames: [null, 1, 'x', []] }]])(
    'a stack of %j has no frames',
    (stacktrace) => {
      expect(normalise({ exception: { type: 'A', stacktrace } }).exceptions[0]?.frames).toEqual([]);
    },
  );
  it.each([['[]'], ['null'], ['7'], ['"x"'], ['{'], [''], ['{}{}'], ['undefined']])('%s is refused', (body) => {
    expect(() => prepareEvent(Buffer.from(body), context)).toThrow(expect.objectContaining({ status: 400 }));
  });
  it('a transaction is not an event', () => {
    expect(prepareEvent(Buffer.from('{"type":"transaction"}'), context)).toBeNull();
  });
});

it('secrets are filtered by name at every depth', () => {
  const vars = {
    password: 'p',
    DB_PASSWORD: 'p',
    accessToken: 'p',
    tokens_per_line: 3,
    author: 'alice',
    nested: { api_key: 'p', list: [{ Authorization: 'p' }] },
    secret: null,
  };
  const event = normalise({
    exception: { type: 'A', stacktrace: { frames: [{ vars }] } },
    request: { headers: { Cookie: 'p', Accept: 'x' } },
    tags: { token: 'p' },
  });
  expect(event.exceptions[0]?.frames[0]?.vars).toEqual({
    password: '[Filtered]',
    DB_PASSWORD: '[Filtered]',
    accessToken: '[Filtered]',
    tokens_per_line: 3,
    author: 'alice',
    nested: { api_key: '[Filtered]', list: [{ Authorization: '[Filtered]' }] },
    secret: null,
  });
  expect(event.request).toEqual({ headers: { Cookie: '[Filtered]', Accept: 'x' } });
  expect(event.tags).toEqual([['token', '[Filtered]']]);
});

it('secrets are filtered by name in texts of a request and of breadcrumbs too', () => {
  const request = {
    url: 'http://bob:p@bench/a?access_token=p&x=1#id_token=p',
    query_string: 'api-key=p;y=2',
    headers: [
      ['X-Api-Key', 'p'],
      ['Referer', 'http://bench/?token=p'],
    ],
    data: '{"user": "bob", "password": "p\\"q", "token":7, "nested": {"secret":"cut',
  };
  const event = normalise({ request, breadcrumbs: [{ data: { url: 'http://bench/?jwt=p&page=3', method: 'GET' } }] });
  expect(event.request).toEqual({
    url: 'http://bob:[Filtered]@bench/a?access_token=[Filtered]&x=1#id_token=[Filtered]',
    query_string: 'api-key=[Filtered];y=2',
    headers: [
      ['X-Api-Key', '[Filtered]'],
      ['Referer', 'http://bench/?token=[Filtered]'],
    ],
    data: '{"user": "bob", "password": "[Filtered]", "token":"[Filtered]", "nested": {"secret":"[Filtered]"',
  });
  expect(event.breadcrumbs[0]?.data).toEqual({ url: 'http://bench/?jwt=[Filtered]&page=3', method: 'GET' });
  const harmless = {
    url: 'http://bench/a?page=2',
    query_string: [['x', '1']],
    data: { list: ['author', 'alice'] },
    env: { HOME: '/home/bob' },
  };
  expect(normalise({ request: harmless }).request).toEqual(harmless);
});

it('the name of a member is cleaned and truncated too, and its neighbours stay', () => {
  const { extra, shortened } = normalise({
    extra: { before: [1], 'na\0me': { inner: 7 }, ['long'.repeat(100)]: true, after: 'x' },
  });
  expect(extra).toEqual({ before: [1], name: { inner: 7 }, ['long'.repeat(50)]: true, after: 'x' });
  expect(shortened).toBe(true);
});
