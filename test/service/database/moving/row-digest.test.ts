import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { RowDigest } from '../../../../src-main/service/database/moving/row-digest.ts';
import type { Row } from '../../../../src-main/service/database/moving/rows.ts';

function digestOf(rows: readonly Row[]): string {
  const digest = new RowDigest();
  for (const row of rows) digest.add(row);
  return digest.end().sha256;
}

it('digests values as it says', () => {
  const encoded = [
    '00',
    '01ffffffffffffffff',
    '01001fffffffffffff',
    '01ffe0000000000001',
    '010000000080000000',
    '0200000002c3a4',
    '0300000003000102',
    '0200000000',
    '0300000000',
  ];
  const row: Row = [null, -1, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 31, 'ä', Buffer.of(0, 1, 2), '', Buffer.alloc(0)];
  const expected = createHash('sha256')
    .update(Buffer.from(encoded.join(''), 'hex'))
    .digest('hex');
  expect(digestOf([row])).toBe(expected);
});

it('is the same however long the values are, and another one for other rows', () => {
  const long = 'ä'.repeat(100_000);
  const expected = createHash('sha256');
  for (let at = 0; at < 3; at += 1)
    expected.update(Buffer.concat([Buffer.from('0200030d40', 'hex'), Buffer.from(long), Buffer.from('00', 'hex')]));
  expect(
    digestOf([
      [long, null],
      [long, null],
      [long, null],
    ]),
  ).toBe(expected.digest('hex'));
  const others: readonly (readonly Row[])[] = [
    [['a', 'b']],
    [['ab', '']],
    [['', 'ab']],
    [[Buffer.from('a'), 'b']],
    [['a', null, 'b']],
    [['b', 'a']],
  ];
  expect(new Set(others.map(digestOf)).size).toBe(others.length);
});

it('refuses numbers that are not exact', () => {
  expect(() => digestOf([[2 ** 53]])).toThrow('is too large to move');
  expect(() => digestOf([[1.5]])).toThrow('is too large to move');
});
