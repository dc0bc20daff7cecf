import { describe, expect, test } from 'vitest';
import { refusedWords } from '../../../src-renderer/features/errors/charts/refused-words.ts';
import {
  eventLink,
  readErrorsSearch,
  readEventName,
  statusOf,
  tagQuery,
  withStatus,
} from '../../../src-renderer/features/errors/search/errors-search.ts';
import { daysBack, offsetOf } from '../../../src-renderer/features/errors/event/event-times.ts';
import {
  extendTo,
  keepListed,
  noRows,
  onlyRow,
  rowAfter,
  toggleRow,
} from '../../../src-renderer/ui/lists/row-selection.ts';
import { escapeJson, jsonText, lineText, plainText, shownText } from '../../../src-shared/format/shown-text.ts';
import { markdownOf, stackText } from '../../../src-renderer/features/errors/event/stack-text.ts';
import type { ErrorEventPage } from '../../../src-renderer/api/requests/types.ts';
import { hostile } from '../fakes/fake-error-data.ts';
import { fakeErrors } from '../fakes/fake-errors.ts';

function eventOf(id: string): ErrorEventPage['event'] {
  const fake = fakeErrors({ errors: 5 }, () => undefined);
  const answer = fake.answer('GET', ['projects', '1', 'errors', id, 'events', 'latest'], new URLSearchParams(), {});
  if (answer === null) throw new Error(`no event of error ${id}`);
  return (answer.body as ErrorEventPage).event;
}

describe('texts of senders', () => {
  test('show invisible characters and bidirectional controls', () => {
    expect(plainText('a\u202Eb\u0000c\u200Bd\uFEFFe\u0007')).toBe('a[U+202E]b[U+0000]c[U+200B]d[U+FEFF]e[U+0007]');
    expect(plainText('\u{E0041}')).toBe('[U+E0041]');
    expect(plainText('\uD800x')).toBe('[U+D800]x');
  });
  test('keep ordinary text: lines, tabs, all scripts, composed emoji', () => {
    const kept = 'a\n\tb ü 測定 שלום 👩‍🔬';
    expect(plainText(kept)).toBe(kept);
  });
  test('are truncated, and say by how much', () => {
    expect(shownText('x'.repeat(10), 4)).toBe('xxxx… (6 more characters)');
    expect(lineText(' a\n\n b\tc ')).toBe('a b c');
  });
  test('are escaped in JSON without changing it', () => {
    const value = { text: 'a\u202Eb\u{E0041}' };
    expect(jsonText(value)).toContain(String.raw`a\u202eb\udb40\udc41`);
    expect(JSON.parse(escapeJson(JSON.stringify(value)))).toEqual(value);
  });
});

describe('copies', () => {
  test('as text: the error first, then its cause, the newest frame first', () => {
    const lines = stackText(eventOf('1')).split('\n');
    expect(lines[0]).toBe('ValueError: field out of range: 14.2 T');
    expect(lines[1]).toBe('    at acquire (bench/acquire.py:42:7)');
    expect(lines.findIndex((line) => line.startsWith('Caused by: ConnectionResetError'))).toBeGreaterThan(4);
  });
  test('as Markdown: no text of a sender leaves its fence', () => {
    const markdown = markdownOf(hostile, eventOf('4'), 'http://127.0.0.1/ui/x');
    const fences = markdown.split('\n').filter((line) => /^`{4,}$/.test(line));
    expect(fences).toHaveLength(4);
    const outside = markdown.split(/^`{4,}$/m).filter((_, position) => position % 2 === 0);
    expect(outside.join('')).not.toContain('javascript');
    expect(markdown).not.toContain('\u202E');
    expect(
      markdownOf(
        'x',
        { ...eventOf('4'), message: { formatted: '`a'.repeat(300_000), template: null, params: null } },
        'http://127.0.0.1/ui/x',
      ),
    ).toContain('`a`a');
  });
});

describe('the address', () => {
  test('keeps valid parameters', () => {
    expect(readErrorsSearch({ query: 'is:resolved', sort: 'users', event: 'A'.repeat(32), wide: true })).toEqual({
      query: 'is:resolved',
      sort: 'users',
      event: 'a'.repeat(32),
      wide: true,
    });
    expect(readErrorsSearch({ query: {}, sort: 'size', event: '../x', wide: 'yes' })).toEqual({});
    expect(readEventName('1F0E3DAD-9990-8345-F743-9F8FFABDFFC4')).toBe('1f0e3dad99908345f7439f8ffabdffc4');
  });
  test('of an event stays a text, also when it looks like a number', () => {
    expect(eventLink('/x', 'ab12')).toBe('/x?event=ab12');
    expect(eventLink('/x', '12e4')).toBe('/x?event=%2212e4%22');
  });
  test('has the status within the search', () => {
    expect(statusOf('timeout')).toBe('unresolved');
    expect(statusOf(withStatus('timeout is:ignored', 'resolved'))).toBe('resolved');
    expect(withStatus('is:resolved timeout', 'unresolved')).toBe('timeout');
    expect(statusOf(withStatus('a b', 'all'))).toBe('all');
    expect(statusOf('is:resolved is:ignored')).toBeNull();
    expect(statusOf('this:resolved')).toBe('unresolved');
    expect(tagQuery('instrument', 'afm "2" x')).toBe('instrument:"afm 2 x"');
  });
});

test('selection is by id, so that rows may move', () => {
  const order = ['a', 'b', 'c', 'd'];
  const one = onlyRow('b');
  expect([...extendTo(one, order, 'd').ids]).toEqual(['b', 'c', 'd']);
  expect([...extendTo(extendTo(one, order, 'd'), order, 'a').ids]).toEqual(['a', 'b']);
  expect(rowAfter(one, ['new', ...order], 1)).toBe('c');
  expect(rowAfter(noRows, order, -1)).toBe('d');
  expect([...toggleRow(one, 'b').ids]).toEqual([]);
  expect(keepListed(extendTo(one, order, 'c'), ['c'])).toEqual({ ids: new Set(['c']), cursor: 'c', anchor: null });
});

test('times are shown relative to the event', () => {
  const at = '2026-11-21T12:00:00.000Z';
  expect(offsetOf('2026-11-21T11:59:54.980Z', at)).toBe('−5.02 s');
  expect(offsetOf('2026-11-21T12:01:05.000Z', at)).toBe('+1 min 5 s');
  expect(offsetOf('nonsense', at)).toBe('');
  expect(daysBack(new Date(at), '2026-11-20T23:59:59Z')).toBe(1);
});

test('refused events are shown with their reasons; a duplicate is not refused', () => {
  const intake = (dropped: Readonly<Record<string, number>>) => ({
    limit_per_second: 50,
    hours: [{ hour: '', accepted: 1, dropped }],
  });
  expect(refusedWords(intake({ duplicate: 5, 'rate-limit': 200 }))).toBe(
    '200 events were refused in the last 24 hours: this project takes 50 a second. They are not counted below.',
  );
  expect(refusedWords(intake({ 'too-large': 1 }))).toBe(
    '1 event was refused in the last 24 hours: too large. It is not counted below.',
  );
  expect(refusedWords(intake({ 'rate-limit': 3, busy: 4 }))).toContain(
    'the service was busy (4); this project takes 50 a second (3)',
  );
  expect(refusedWords(intake({ duplicate: 5 }))).toBeNull();
});
