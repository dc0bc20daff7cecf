import { expect, test } from 'vitest';
import { countOf, nounOf } from '../../../src-main/service/common/count-of.ts';

test('one is counted in the singular', () => {
  expect([0, 1, 2, 2000].map((count) => countOf(count, 'file'))).toEqual([
    '0 files',
    '1 file',
    '2 files',
    '2\u202f000 files',
  ]);
  expect([nounOf(1, 'byte'), nounOf(1001, 'byte')]).toEqual(['byte', 'bytes']);
});
