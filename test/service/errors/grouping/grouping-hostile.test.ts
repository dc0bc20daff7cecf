import { expect, test } from 'vitest';
import type { ErrorEvent } from '../../../../src-main/service/contract/errors.ts';
import { groupingKey } from '../../../../src-main/service/errors/grouping/grouping-key.ts';
import { culpritOf, titleOf } from '../../../../src-main/service/errors/grouping/title.ts';
import { readCases } from '../../../fixtures/grouping/read-cases.ts';

// Texts of up to 1 MB on which backtracking patterns need quadratic time.
const bits = [
  'a',
  '1',
  '-',
  '.',
  ':',
  '/',
  '\\',
  '$',
  '<',
  '>',
  '[',
  '{',
  '_',
  "'",
  '"',
  ' ',
  '\n',
  '\0',
  '\ud800',
  'é',
  'a.',
  'a@',
  'a-',
  '1.',
  '1:',
  '1,',
  'ab:',
  '::',
  '0x',
  '1e',
  ' /a',
  '/a.',
  'a/',
  'C:\\',
  'http://',
  'http://.',
  '1m',
  '12:',
  '1-',
  'jan 1',
  "'a ",
  '"a',
  '(reading ',
  '$1',
  '$$Lambda$',
  '$$EnhancerBy',
  '@anonymous',
  '{closure:',
  '{closure}::',
  '.func1',
  '.1',
  '-range1',
  '::h0',
  '__1',
  '_1',
  ' [as ',
  'async ',
  'block in ',
  '<a',
  '<impl ',
  'a<b',
  '->',
  'a.min.',
  '-aaaaaaaa',
  '.1f2e3d',
  '?',
  '#',
  '1 ',
  'true',
  'a1',
  'ffff-',
  '{{ default',
  '0a',
  'A::',
  'a#',
];
const megabyte = 1024 * 1024;
const platforms = ['go', 'java', 'node', 'javascript', 'php', 'python', 'ruby', 'native', 'other'];
const [pair] = readCases('other', '# one\n@ Error: x\n+ f ; m ; f:1\n= nothing | x => x');
if (!pair) throw new Error('no event');
const [base] = pair.events;

function hostile(platform: string, text: string, frames: number): ErrorEvent {
  const [exception] = base.exceptions;
  const [frame] = exception?.frames ?? [];
  if (!exception || !frame) throw new Error('no frame');
  const bad = { ...frame, function: text, filename: text, abs_path: text, context_line: text };
  const stack = Array.from({ length: frames }, (_, index) => ({
    ...bad,
    module: index % 2 === 0 ? null : text,
    in_app: index % 3 > 0,
  }));
  return {
    ...base,
    platform,
    transaction: text,
    logger: text,
    fingerprint: ['{{ default }}', text],
    message: { formatted: text, template: text, params: null },
    exceptions: [{ ...exception, type: text, value: text, frames: stack }],
  };
}

/**
 * Milliseconds of processor time, which other load does not stretch; a slow first run is repeated,
 * because compiling is paid once.
 */
function cost(work: () => void): number {
  const first = costOnce(work);
  return first < 30 ? first : Math.min(first, costOnce(work));
}

function costOnce(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function group(event: ErrorEvent): void {
  groupingKey(event);
  groupingKey({ ...event, exceptions: [] });
  titleOf(event);
  culpritOf({ ...event, transaction: null });
}

test('a megabyte of any text costs no more than its beginning', () => {
  let worst = { bit: '', platform: '', ms: 0 };
  for (const bit of bits) {
    // The last character fails late, where a backtracking pattern would start again.
    const text = `${bit.repeat(Math.ceil(megabyte / bit.length)).slice(0, megabyte - 1)}!`;
    for (const platform of ['javascript', 'java', 'native']) {
      const event = hostile(platform, text, 3);
      const ms = cost(() => group(event));
      if (ms > worst.ms) worst = { bit, platform, ms };
    }
  }
  expect(worst.ms, JSON.stringify(worst)).toBeLessThan(60);
}, 120_000);

test('hundreds of such frames of maximum length take a fraction of a second', () => {
  let worst = { bit: '', platform: '', ms: 0 };
  for (const bit of bits) {
    const text = `${bit.repeat(1024).slice(0, 1023)}!`;
    for (const platform of platforms) {
      const event = hostile(platform, text, 250);
      const ms = cost(() => group(event));
      if (ms > worst.ms) worst = { bit, platform, ms };
    }
  }
  expect(worst.ms, JSON.stringify(worst)).toBeLessThan(300);
}, 120_000);

test('empty, missing or odd values never make it throw', () => {
  for (const platform of [...platforms, '__proto__', 'constructor', 'toString', '']) {
    for (const text of ['', ' ', '\ud800', '__proto__', '@', '$', '<', '{{ default }}']) {
      const event = hostile(platform, text, 1);
      group(event);
      group({
        ...event,
        exceptions: event.exceptions.map((one) => ({ ...one, type: null, value: null, frames: [] })),
        message: null,
      });
    }
  }
});
