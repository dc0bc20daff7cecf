import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { textFor } from '../../../src-main/service/database/port/dialect.ts';
import { addFolding, contains, likePattern, textFinder } from '../../../src-main/service/database/text-search.ts';

const database = new Database(':memory:');
addFolding(database);
const found = database
  .prepare<[{ text: string | null; pattern: string }], number | null>(
    textFor('sqlite', `SELECT ${contains('@text', '@pattern')}`),
  )
  .pluck();

test.each([
  ['größe', 'GRÖSSE', true],
  ['größe', 'GRÖẞE', true],
  ['GRÖSSE', 'größe', true],
  ['Straße', 'ß', true],
  ['Straße 100%', 'ẞE 100%', true],
  ['Straße 1000', 'ẞE 100%', false],
  ['Ärger', 'a', false],
  ['Москва', 'МОСКВА', true],
  ['Москва', 'осК', true],
  ['ΟΔΟΣ', 'οδος', true],
  ['ΟΔΟΣΑ', 'ΟΔΟΣ', true],
  ['öl', 'O\u0308L', true],
  ['O\u0308L', 'öl', true],
  ['\u0390', '\u03aa\u0301', true],
  ['İZMİR ölçüm', 'izmİr', false],
  ['İZMİR ölçüm', 'İzmİr ÖLÇÜM', true],
  ['ISI', 'ısı', true],
  ['isi', 'ısı', true],
  ['a_ö', 'A_Ö', true],
  ['abö', 'A_Ö', false],
  ['plain TEXT', 'Text', true],
  ['größe', 'gr', true],
  ['größe', 'GROESSE', false],
])('%j is searched with %j: %j', (text, search, expected) => {
  expect(found.get({ text, pattern: likePattern(search) }) === 1, 'in the database').toBe(expected);
  expect(textFinder(search)(text), 'elsewhere').toBe(expected);
});

test('a missing text is not found', () => {
  expect(found.get({ text: null, pattern: likePattern('ö') })).toBe(null);
});

test('only the first part of a long text is compared case-insensitively, so that no number of combining marks slows a search', () => {
  for (const [text, search, expected] of [
    [`${'x'.repeat(490)}Größe`, 'GRÖSSE', true],
    [`${'x'.repeat(500)}Größe`, 'GRÖSSE', false],
    [`${'x'.repeat(500)}Größe`, 'Größe', true],
    [`${'x'.repeat(500)}Größe`, 'GR', true],
  ] as const) {
    expect(found.get({ text, pattern: likePattern(search) }) === 1, `${search} in the database`).toBe(expected);
    expect(textFinder(search)(text), `${search} elsewhere`).toBe(expected);
  }
});

test('a search for ASCII letters folds nothing; any other folds each text and its pattern once', () => {
  const counted = new Database(':memory:');
  let folded = 0;
  counted.function('folded', { deterministic: true }, (text: unknown) => {
    folded += 1;
    return text;
  });
  const count = counted
    .prepare<[{ pattern: string }], number>(
      textFor(
        'sqlite',
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT count(*) FROM n WHERE ${contains("('x' || i)", '@pattern')}`,
      ),
    )
    .pluck();
  expect(count.get({ pattern: likePattern('X1') })).toBe(12);
  expect(folded).toBe(0);
  count.get({ pattern: likePattern('ö') });
  expect(folded).toBe(101);
});
