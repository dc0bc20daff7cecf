import { expect, test } from 'vitest';
import { unsafePath } from '../../../../../src-main/service/fetching/engine/target/safe-path.ts';
import { file, manifest, useManifestServer } from './manifest-server.ts';

const { read } = useManifestServer();

test.each([
  ['/measurements/M1/files/0', '/measurements/M1/files/0'],
  ['/lab/measurements/M1/files/0?x=%2e', '/lab/measurements/M1/files/0?x=%2e'],
  ['https://elsewhere.example/f', null],
  ['//elsewhere.example/f', null],
  ['/\\elsewhere.example/f', null],
  ['relative', null],
  ['/a/../../admin', null],
  ['/a/%2E%2e/admin', null],
  ['/a/..%2fadmin', null],
  ['/a b', null],
  ['/a#b', null],
  ['/ä', null],
  [`/${'a'.repeat(3000)}`, null],
  ['', null],
])('link %.40s', async (href, expected) => {
  const { files } = await read(manifest(file(0, 'a', { _links: { download: { href } } })));
  expect(files[0]?.href).toBe(expected);
});

test('paths that cannot be written stay in the list, with the reason', async () => {
  const paths = [
    'ok/a',
    'OK/A',
    'ok/a',
    'ok',
    'n\u00e4',
    'na\u0308',
    '../x',
    '/abs',
    'a\\b',
    'nul\0',
    'sub/CON.txt',
    'x.benchport-part/y',
    '.Benchport-Fetch/journal.db',
    'photo\u202egpj.exe',
    'photo_gpj\u00ad.exe',
    'photo\u2066gpj.exe',
    '.bench\u200cport-fetch/x',
    '\u200f..\u2028/y',
  ];
  const { files, fileCount } = await read(
    manifest(...paths.map((path, index) => file(index, path)), file(90, 'late'), file(91, 'late/b'), file(92, 'LATE')),
  );
  expect(fileCount).toBe(paths.length + 3);
  expect(files.map(({ path, refusal }) => `${path}: ${refusal}`)).toEqual([
    'ok/a: null',
    'OK/A: it differs from ok/a only by case or Unicode form',
    'ok/a: it is there twice',
    'ok: it is the name of a file and of a folder',
    'n\u00e4: null',
    'na\u0308: it differs from n\u00e4 only by case or Unicode form',
    '../x: the path holds ".." and could lead out of the folder',
    '/abs: the path is absolute',
    'a\\b: the name holds a backslash, which is a folder separator on Windows',
    'nul\0: the name holds a NUL character',
    'sub/CON.txt: Windows reserves the name CON for a device',
    'x.benchport-part/y: names that end in .benchport-part are reserved for incomplete files',
    '.Benchport-Fetch/journal.db: .benchport-fetch is reserved for the download journal',
    'photo_gpj.exe: null',
    'photo_gpj_.exe: null',
    'photo_gpj.exe: it is there twice',
    '.bench_port-fetch/x: null',
    '_.._/y: null',
    'late: it is the name of a file and of a folder',
    'late/b: null',
    'LATE: it differs from late only by case or Unicode form',
  ]);
  expect(unsafePath('a/'.repeat(64) + 'b')).toMatch(/64 folders deep/);
  expect(unsafePath(`${'a/'.repeat(60)}${'\u00e4'.repeat(500)}`)).toMatch(/characters|1024 bytes/);
});
