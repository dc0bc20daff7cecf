import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ignoreMatcher } from '../../../../src-shared/ignore-patterns.ts';
import { ListingBuilder } from '../../../../src-main/service/files/inspect-findings.ts';
import { foldedPath, isOrdinaryPath, pathRefusal, pathWarnings } from '../../../../src-main/service/files/names.ts';
import { compareCodePoints, isMeasurementId, suggestedId } from '../../../../src-shared/measurement-names.ts';

test('a suggested id is always a valid one', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => isMeasurementId(suggestedId(name))));
  expect([
    suggestedId('  Größe №7 (final) '),
    suggestedId('日本語'),
    suggestedId('.hidden.'),
    suggestedId('x'.repeat(300)).length,
  ]).toEqual(['Gro-e-No7-final', 'measurement', 'hidden', 100]);
});

test('the order of paths is the order of their UTF-8 bytes', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(
      text,
      text,
      (a, b) => Math.sign(compareCodePoints(a, b)) === Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))),
    ),
  );
});

test('a path that is accepted as ordinary has no findings', () => {
  const piece = fc.constantFrom(
    'a',
    'Z_',
    '7',
    '-',
    '.',
    ' ',
    '/',
    'con',
    'NUL',
    'com1',
    'LPT9',
    'aux',
    'ä',
    'e\u0301',
    '\u0000',
    '\u200b',
    '\\',
    ':',
    'x'.repeat(250),
  );
  const ordinary: string[] = [];
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const name = pieces.join('');
      if (!isOrdinaryPath(name)) return;
      ordinary.push(name);
      expect(pathRefusal(name)).toBeNull();
      expect(pathWarnings(name)).toEqual([]);
      expect(name.normalize('NFC')).toBe(name);
    }),
    { numRuns: 3000 },
  );
  expect(ordinary.length).toBeGreaterThan(100);
  const listing = new ListingBuilder();
  for (const name of new Set(ordinary)) listing.add({ path: name, source: name, length: 1, mtimeNs: '1' });
  const { files, refusals } = listing.finish();
  // Names that differ only by case cannot be in one folder.
  const clashing = new Set(refusals.shown.map((line) => line.slice(0, line.indexOf(': '))));
  const standing = [...new Set(ordinary)].filter((name) => !clashing.has(name));
  expect(files.map((file) => file.path)).toEqual(
    standing.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
});

test('case folding removes differences of case and Unicode form', () => {
  for (const name of ['ẞ', 'ß', 'SS']) expect(foldedPath(name)).toBe('ss');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(foldedPath(name.normalize('NFD'))).toBe(foldedPath(name.normalize('NFC')));
      expect(foldedPath(foldedPath(name))).toBe(foldedPath(name));
    }),
  );
});

test('no accepted path leads out of its folder', () => {
  const part = fc.oneof(
    fc.constantFrom('.', '..', '', 'a', '\0', '\\', 'C:'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const name = parts.join('/');
      if (pathRefusal(name) !== null) return;
      const resolved = path.posix.resolve('/base', name);
      expect(resolved.startsWith('/base/')).toBe(true);
      expect(resolved).toBe(`/base/${name}`);
    }),
  );
});

test('patterns of the ignore list match whole names, and many stars take no time', () => {
  const matches = ignoreMatcher(['*.tmp', 'a?c', '[x].(y)', `${'*a'.repeat(50)}b`]);
  expect(
    ['x.TMP', 'abc', '[x].(y)', 'tmp', 'x.tmp2', 'ac', 'x.y', 'a'.repeat(200)].map((name) => matches(name, false)),
  ).toEqual([true, true, true, false, false, false, false, false]);
});
