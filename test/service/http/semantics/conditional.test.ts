import { describe, expect, test } from 'vitest';
import {
  checkPreconditions,
  rangesToSend,
  type Verdict,
} from '../../../../src-main/service/http/semantics/conditional.ts';
import { parseHttpDate } from '../../../../src-main/service/http/semantics/http-date.ts';

const etag = '"sha256-ab"';
const lastModified = Date.UTC(2026, 8, 1, 10, 20, 31, 500);
const same = 'Tue, 01 Sep 2026 10:20:31 GMT';
const earlier = 'Tue, 01 Sep 2026 10:20:30 GMT';
const later = 'Tue, 01 Sep 2026 10:20:32 GMT';
const validators = { etag, lastModified };

describe('preconditions, in the order of RFC 9110 section 13.2.2', () => {
  const cases: readonly (readonly [Record<string, string>, Verdict])[] = [
    [{}, 'proceed'],
    [{ 'if-match': etag }, 'proceed'],
    [{ 'if-match': '*' }, 'proceed'],
    [{ 'if-match': `"x", ${etag}` }, 'proceed'],
    [{ 'if-match': `"a,b",${etag}` }, 'proceed'],
    [{ 'if-match': '"x"' }, 'precondition-failed'],
    [{ 'if-match': `W/${etag}` }, 'precondition-failed'],
    [{ 'if-match': 'sha256-ab' }, 'precondition-failed'],
    [{ 'if-match': '' }, 'precondition-failed'],
    [{ 'if-match': etag, 'if-unmodified-since': earlier }, 'proceed'],
    [{ 'if-unmodified-since': earlier }, 'precondition-failed'],
    [{ 'if-unmodified-since': same }, 'proceed'],
    [{ 'if-unmodified-since': later }, 'proceed'],
    [{ 'if-unmodified-since': 'yesterday' }, 'proceed'],
    [{ 'if-none-match': etag }, 'not-modified'],
    [{ 'if-none-match': `W/${etag}` }, 'not-modified'],
    [{ 'if-none-match': '*' }, 'not-modified'],
    [{ 'if-none-match': `"x" , ${etag}` }, 'not-modified'],
    [{ 'if-none-match': '"x"' }, 'proceed'],
    [{ 'if-none-match': '"x"', 'if-modified-since': later }, 'proceed'],
    [{ 'if-modified-since': same }, 'not-modified'],
    [{ 'if-modified-since': later }, 'not-modified'],
    [{ 'if-modified-since': earlier }, 'proceed'],
    [{ 'if-modified-since': 'Tuesday, 01-Sep-26 10:20:31 GMT' }, 'not-modified'],
    [{ 'if-modified-since': 'Tue Sep  1 10:20:31 2026' }, 'not-modified'],
    [{ 'if-modified-since': '2026-09-01T10:20:31Z' }, 'proceed'],
    [{ 'if-match': '"x"', 'if-none-match': etag }, 'precondition-failed'],
    [{ 'if-match': etag, 'if-none-match': etag }, 'not-modified'],
  ];
  test.each(cases)('%j', (headers, verdict) => {
    expect(checkPreconditions(headers, validators)).toBe(verdict);
  });
});

describe('If-Range', () => {
  const range = 'bytes=0-1';
  const part = [{ start: 0, end: 2 }];
  const cases: readonly (readonly [string, boolean])[] = [
    [etag, true],
    [`W/${etag}`, false],
    ['"x"', false],
    [`${etag}, "x"`, false],
    [same, true],
    ['Tuesday, 01-Sep-26 10:20:31 GMT', true],
    [earlier, false],
    [later, false],
    ['*', false],
    ['', false],
    ['sha256-ab', false],
  ];
  test.each(cases)('%j', (condition, holds) => {
    expect(rangesToSend('GET', { range, 'if-range': condition }, validators, 10)).toEqual(holds ? part : 'whole');
  });
  test('applies to GET only, as Range does', () => {
    expect(rangesToSend('HEAD', { range }, validators, 10)).toBe('whole');
    expect(rangesToSend('HEAD', { range: 'bytes=99-' }, validators, 10)).toBe('whole');
    expect(rangesToSend('GET', { range }, validators, 10)).toEqual(part);
  });
  test('a failed condition takes precedence over an unsatisfiable range', () => {
    expect(rangesToSend('GET', { range: 'bytes=99-', 'if-range': '"x"' }, validators, 10)).toBe('whole');
    expect(rangesToSend('GET', { range: 'bytes=99-', 'if-range': etag }, validators, 10)).toBe('unsatisfiable');
  });
});

describe('HTTP dates', () => {
  test.each([
    'Tue, 32 Sep 2026 10:20:31 GMT',
    'Tue, 01 Foo 2026 10:20:31 GMT',
    'Tue, 01 Sep 2026 25:20:31 GMT',
    'Tue, 01 Sep 2026 10:20:31 UTC',
    '0',
    '',
  ])('%j is not a date', (text) => {
    expect(parseHttpDate(text)).toBeNull();
  });
  test('two-digit years are not far in the future', () => {
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });
});
