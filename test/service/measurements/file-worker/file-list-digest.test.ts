import { expect, test } from 'vitest';
import {
  fileListDigest,
  type ListEntry,
} from '../../../../src-main/service/measurements/file-worker/file-list-digest.ts';

const files: readonly ListEntry[] = Array.from({ length: 9 }, (_, i) => ({
  path: `run/${i}.bin`,
  length: i * 1000,
  mtimeNs: `17953489340000000${i}0`,
}));
const digest = (...parts: readonly (readonly ListEntry[])[]) => {
  const list = fileListDigest();
  for (const part of parts) list.add(part);
  return list.finish();
};

test('a list has one digest, however it is split', () => {
  expect(digest(files.slice(0, 4), [], files.slice(4))).toBe(digest(files));
});

test.each<readonly [string, readonly ListEntry[]]>([
  ['a file more', [...files, { path: 'z', length: 0, mtimeNs: '0' }]],
  ['a file less', files.slice(1)],
  ['another order', files.toReversed()],
  ['another length', files.map((file, i) => (i === 3 ? { ...file, length: 3001 } : file))],
  ['another time', files.map((file, i) => (i === 3 ? { ...file, mtimeNs: '1' } : file))],
  ['another path', files.map((file, i) => (i === 3 ? { ...file, path: 'run/3' } : file))],
  [
    'a digit on the other side of a boundary',
    files.map((file, i) => (i === 3 ? { ...file, length: 300, mtimeNs: `0${file.mtimeNs}` } : file)),
  ],
])('%s changes the digest', (_what, others) => {
  expect(digest(others)).not.toBe(digest(files));
});
