import { expect, test } from 'vitest';
import type { Quota } from '../../../src-renderer/api/requests/types.ts';
import {
  noRoomWords,
  readSize,
  sizeFields,
  sizeUnits,
  usedWords,
} from '../../../src-renderer/features/quotas/quota-text.ts';

const gib = 1024 ** 3;
const quota = (limit: number | null, used: number): Quota => ({
  quota_bytes: limit,
  used_bytes: used,
  unfinished_bytes: 0,
  removed_bytes: 0,
});

test('a size is read with a point or a comma, in the units that the user has chosen', () => {
  expect(readSize('500', 'giga', 'iec')).toEqual({ bytes: 500 * gib });
  expect(readSize(' 1.5 ', 'tera', 'si')).toEqual({ bytes: 1.5e12 });
  expect(readSize('2,5', 'mega', 'si')).toEqual({ bytes: 2.5e6 });
  expect(readSize('0', 'giga', 'iec')).toEqual({ bytes: 0 });
});

test('what is no size is refused in words', () => {
  for (const text of ['', '  ', 'much', '-1', '1,500', '1.5.2', '1e9', '5 GB', '٣', 'Infinity'])
    expect(readSize(text, 'giga', 'iec')).toEqual({ problem: expect.stringContaining('such as 500 or 1.5') as string });
  expect(readSize('99999999', 'peta', 'si')).toEqual({ problem: expect.stringContaining('No limit') as string });
});

test('the fields of a stored limit lead back to it', () => {
  for (const units of ['iec', 'si'] as const)
    for (const unit of sizeUnits) {
      const { bytes } = readSize('1.5', unit, units) as { readonly bytes: number };
      expect(sizeFields(bytes, units)).toEqual({ number: '1.5', unit });
    }
  expect(sizeFields(null, 'iec')).toEqual({ number: '', unit: 'giga' });
  expect(sizeFields(0, 'iec')).toEqual({ number: '0', unit: 'mega' });
  expect(sizeFields(1500 * 1024 ** 4, 'iec')).toEqual({ number: '1.465', unit: 'peta' });
});

test('an upload is refused by the first limit that it cannot fit into, and only by those that are known', () => {
  const of = (own: Quota | undefined, project?: Quota) =>
    noRoomWords(
      3 * gib,
      [
        { whose: 'Your limit', quota: own },
        { whose: 'The limit of lab', quota: project },
      ],
      'iec',
    );
  expect([of(undefined), of(quota(null, 900 * gib)), of(quota(5 * gib, 2 * gib))]).toEqual([null, null, null]);
  expect(of(quota(5 * gib, 2 * gib + 1))).toContain('it has 3.0 GiB. Your limit is 5.0 GiB, and 3.0 GiB of it is free');
  expect(of(quota(5 * gib, 9 * gib))).toContain('Your limit is 5.0 GiB, and 0 B of it is free');
  expect(of(quota(null, 0), quota(1 * gib, 0))).toContain('The limit of lab is 1.0 GiB');
});

test('what is used is said with the limit, or that there is none', () => {
  expect(usedWords(quota(50 * gib, 12 * gib), 'iec')).toBe('12.0 GiB of 50.0 GiB used');
  expect(usedWords(quota(null, 0), 'si')).toBe('0 B used, no limit');
});
