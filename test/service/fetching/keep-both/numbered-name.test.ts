import fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowsTrouble } from '../../../../src-main/service/files/names.ts';
import { numberedName } from '../../../../src-main/service/fetching/keep-both/numbered-name.ts';

test('a number stands before the extension, and counts on', () => {
  const names = (kind: 'file' | 'folder', ...of: readonly string[]) => of.map((name) => numberedName(name, kind, 1));
  expect(
    names('file', 'run.zip', 'data', 'run.tar.gz', 'a.b.raw', '.hidden', 'dot.', 'run (2).zip', 'x (y).csv'),
  ).toEqual([
    'run (2).zip',
    'data (2)',
    'run (2).tar.gz',
    'a.b (2).raw',
    '.hidden (2)',
    'dot. (2)',
    'run (3).zip',
    'x (y) (2).csv',
  ]);
  expect(names('folder', 'run.2026', 'run (9)', '.tar')).toEqual(['run.2026 (2)', 'run (10)', '.tar (2)']);
  expect(numberedName('run.zip', 'file', 3)).toBe('run (4).zip');
  expect(names('file', '2026-11-28 measured at noon')).toEqual(['2026-11-28 measured at noon (2)']);
});

test('a name at the limit loses characters, but never half of one', () => {
  expect(numberedName(`${'a'.repeat(251)}.zip`, 'file', 1)).toBe(`${'a'.repeat(247)} (2).zip`);
  expect(numberedName('ö'.repeat(127), 'file', 1)).toBe(`${'ö'.repeat(125)} (2)`);
  expect(numberedName('😀'.repeat(63), 'folder', 1)).toBe(`${'😀'.repeat(62)} (2)`);
});

test('every name can be stored on Linux and Windows if the one before could, also of devices', () => {
  const characters = fc.constantFrom('a', 'ö', '😀', '.', ' ', '(', ')', '2', 'tar', 'con', 'nul');
  fc.assert(
    fc.property(
      fc.array(characters, { minLength: 1, maxLength: 90 }),
      fc.constantFrom('file' as const, 'folder' as const),
      fc.integer({ min: 1, max: 1000 }),
      (parts, kind, step) => {
        const name = parts.join('');
        if (Buffer.byteLength(name) > 255 || windowsTrouble(name) !== null) return;
        const other = numberedName(name, kind, step);
        expect(Buffer.byteLength(other)).toBeLessThanOrEqual(255);
        expect(other).not.toMatch(/\p{Surrogate}/u);
        expect(other).not.toBe(name);
        expect(windowsTrouble(other)).toBeNull();
      },
    ),
  );
});
