import { expect, test } from 'vitest';
import {
  countOf,
  exactBytes,
  formatBytes,
  formatCount,
  formatRate,
  fractionDone,
} from '../../../src-shared/format/quantities.ts';

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [102_297, '99.9 KiB'],
  [102_349, '100 KiB'],
  [102_400, '100 KiB'],
  [1_048_525, '1.0 MiB'],
  [41_017_344_000, '38.2 GiB'],
  [2 ** 50 * 3, '3.0 PiB'],
  [2 ** 60, '1024 PiB'],
  [-5, '0 B'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('counts have thin no-break spaces', () => {
  expect(formatCount(1_204_331)).toBe('1\u202f204\u202f331');
  expect(formatCount(999)).toBe('999');
  expect(exactBytes(1)).toBe('1 byte');
  expect(countOf(1, 'file')).toBe('1 file');
  expect(countOf(0, 'file')).toBe('0 files');
  expect(formatRate(327_155_712)).toBe('312 MiB/s');
});

test('progress is counted in bytes, or in files if all are empty, and never exceeds the end', () => {
  expect(fractionDone({ files_done: 1, files_total: 4, bytes_done: 50, bytes_total: 100 })).toBe(0.5);
  expect(fractionDone({ files_done: 1, files_total: 4, bytes_done: 0, bytes_total: 0 })).toBe(0.25);
  expect(fractionDone({ files_done: 0, files_total: 0, bytes_done: 0, bytes_total: 0 })).toBe(0);
  expect(fractionDone({ files_done: 1, files_total: 1, bytes_done: 120, bytes_total: 100 })).toBe(1);
});

test.each([
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_949, '1000 kB'],
  [999_950, '1.0 MB'],
  [41_017_344_000, '41.0 GB'],
])('in steps of a thousand %i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes, 'si')).toBe(text);
});
