import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Inspection } from '../../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../../as-window.ts';
import { register, startWithFolder } from './support.ts';
import { buildZip, type BuiltEntry } from './zip-builder.ts';
import { useWorld } from '../../use-service.ts';
import { archivesIn } from './zip-scene.ts';

const service = useWorld(startWithFolder);
const archive = archivesIn(service);

const bomb = Buffer.alloc(120 * 1024 * 1024);

const good: BuiltEntry = { name: 'good.txt', data: 'good' };

// Found in the central directory: inspection reports it, and registration refuses.
const refused: readonly (readonly [string, readonly BuiltEntry[], string])[] = [
  ['a path that climbs out', [good, { name: '../evil.txt', data: 'x' }], '../evil.txt: the path holds ".." or "."'],
  [
    'a path that climbs out in the middle',
    [{ name: 'a/../../evil.txt', data: 'x' }],
    'a/../../evil.txt: the path holds ".." or "."',
  ],
  ['an absolute path', [{ name: '/etc/passwd', data: 'x' }], '/etc/passwd: the path is absolute'],
  ['a drive letter', [{ name: 'C:/evil.txt', data: 'x' }], 'C:/evil.txt: the path starts with a drive letter'],
  ['a backslash', [{ name: '..\\evil.txt', data: 'x' }], '..\\evil.txt: the name holds a backslash'],
  ['a NUL in a name', [{ name: 'a\0b', data: 'x' }], 'a\\u0000b: the name holds a NUL character'],
  ['a line break in a name', [{ name: 'a\nb', data: 'x' }], 'a\\u000ab: the name holds a control character'],
  ['an empty part', [{ name: 'a//b', data: 'x' }], 'a//b: a part of the path is empty'],
  [
    'a name that is no UTF-8',
    [{ name: Buffer.from([0x61, 0xff, 0x62]), data: 'x' }],
    'aÿb: the name is not valid UTF-8',
  ],
  [
    'a name that is too long',
    [{ name: 'n'.repeat(256), data: 'x' }],
    `${'n'.repeat(256)}: a name is longer than 255 characters`,
  ],
  ['the same name twice', [good, good], 'good.txt: it is there twice'],
  [
    'names that differ by case',
    [good, { name: 'GOOD.txt', data: 'x' }],
    'good.txt: it differs from GOOD.txt only by case',
  ],
  [
    'names that differ by Unicode form',
    [
      { name: 'u\u0308.txt', data: 'a' },
      { name: '\u00fc.txt', data: 'b' },
    ],
    '\u00fc.txt: it is there twice',
  ],
  [
    'a file named like a folder',
    [
      { name: 'a', data: 'x' },
      { name: 'A/b', data: 'x' },
    ],
    'a: it is the name of a file and of a folder',
  ],
  ['a link', [{ name: 'link', data: '/etc/passwd', mode: 0o120777 }], 'link: it is a link'],
  ['a device', [{ name: 'null', data: '', mode: 0o020666 }], 'null: it is a device or a named pipe'],
  ['an encrypted entry', [{ ...good, flags: 0x0801 }], 'good.txt: it is encrypted'],
  [
    'a strongly encrypted entry',
    [{ ...good, flags: 0x0841 }],
    'good.txt: the archive cannot be read here: strong encryption is not supported',
  ],
  ['an unknown method', [{ ...good, method: 93 }], 'good.txt: it is packed with Zstandard, which is not supported'],
  [
    'a bomb that says so',
    [{ name: 'bomb', data: bomb, deflate: true }],
    'bomb: it unpacks to more than 1000 times its packed size',
  ],
  ['a stored entry with two sizes', [{ ...good, size: 5 }], 'good.txt: it is stored, but its two sizes differ'],
  [
    'a folder with data in it',
    [{ name: 'folder/', data: 'x', mode: 0o040755 }],
    'folder/: it is named like a folder but holds data',
  ],
  [
    'two entries with one place',
    [
      { name: 'a', data: 'x'.repeat(99) },
      { name: 'b', data: 'x'.repeat(99), offset: 0 },
    ],
    'a: its data overlap another part',
  ],
  [
    'an entry beyond the archive',
    [{ name: 'far', data: 'abc', deflate: true, packedSize: 99_999_999 }],
    'far: its data overlap another part',
  ],
  [
    'an extra field that is too short',
    [{ ...good, extra: Buffer.from([1, 0, 9, 0, 0]) }],
    'good.txt: the archive cannot be read here',
  ],
];

test.each(refused)('%s is refused with its name', async (_what, entries, message) => {
  const file = await archive(buildZip(entries));
  const inspection = (await asWindow(service, 'POST', '/api/v4/local/inspect', { path: file })).body as Inspection;
  expect(inspection.refusals.join('\n')).toContain(message);
  const job = await register(service, { path: file });
  expect(job.state).toBe('failed');
  expect(job.message).toContain(message);
  await nothingLeft(job.measurement_id);
});

// Found only when the entry is read.
const broken: readonly (readonly [string, readonly BuiltEntry[], string])[] = [
  [
    'a wrong CRC',
    [good, { name: 'bad.txt', data: 'bad', crc: 1 }],
    'bad.txt: its CRC-32 is not the one that the archive declares',
  ],
  [
    'more bytes than declared',
    [{ name: 'liar', data: Buffer.alloc(100_000), deflate: true, size: 10 }],
    'liar: it unpacks to more than the 10 bytes that it declares',
  ],
  [
    'fewer bytes than declared',
    [{ name: 'short', data: 'abc', deflate: true, size: 9 }],
    'short: it ends before its declared length',
  ],
  [
    'data that do not unpack',
    [{ name: 'noise', data: 'abc', deflate: true, packed: Buffer.alloc(9, 0xff) }],
    'noise: its compressed data are damaged',
  ],
  [
    'data that stop',
    [{ name: 'cut', data: 'abc'.repeat(999), deflate: true, packed: Buffer.from([0x4b]) }],
    'cut: its compressed data are damaged',
  ],
  [
    'data followed by others',
    [
      {
        name: 'tail',
        data: 'abc',
        deflate: true,
        packed: Buffer.concat([Buffer.from([0x4b, 0x4c, 0x4a, 0x06, 0x00]), Buffer.alloc(8)]),
      },
    ],
    'tail: its compressed data are followed by others',
  ],
];

test.each(broken)('%s is refused with the name of the entry', async (_what, entries, message) => {
  const job = await register(service, { path: await archive(buildZip(entries)) });
  expect(job.state).toBe('failed');
  expect(job.message).toContain(message);
  await nothingLeft(job.measurement_id);
});

test('damaged archives are refused with an explanation', async () => {
  const whole = buildZip([good, { name: 'more.txt', data: 'more' }]);
  for (const [bytes, message] of [
    [whole.subarray(0, whole.length - 30), 'not a ZIP archive, or it is damaged'],
    [Buffer.from('hello, I am not an archive at all'), 'not a ZIP archive, or it is damaged'],
    [buildZip([good, { name: 'more.txt', data: 'more' }], { count: 1 }), 'more entries than it states'],
    [buildZip([good], { count: 2 }), 'the archive cannot be read here'],
    [buildZip([good], { directoryOffset: 3 }), 'the archive cannot be read here'],
    [buildZip([good], { directoryOffset: 0xffff_fff0 }), 'the archive cannot be read here'],
    [Buffer.alloc(0), 'not a ZIP archive, or it is damaged'],
  ] as const) {
    const file = await archive(bytes);
    expect(
      ((await asWindow(service, 'POST', '/api/v4/local/inspect', { path: file })).body as Inspection).refusals.join(
        '\n',
      ),
    ).toContain(message);
    expect(await register(service, { path: file })).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(message) as string,
    });
  }
});

test('a local header that contradicts the directory is refused', async () => {
  const bytes = buildZip([good]);
  bytes.writeUInt16LE(8, 8);
  expect(await register(service, { path: await archive(bytes) })).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('good.txt: its two headers') as string,
  });
  const wiped = buildZip([good]);
  wiped.writeUInt32LE(0, 0);
  expect(await register(service, { path: await archive(wiped) })).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('good.txt: its local header is missing') as string,
  });
});

async function nothingLeft(id: string): Promise<void> {
  expect(await service.services.measurements.byId(id)).toBeNull();
  const incoming = path.join(service.services.paths.library, 'incoming');
  expect(await readdir(incoming).catch(() => [])).toEqual([]);
  const objects = await readdir(path.join(service.services.paths.library, 'objects'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  expect(objects.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual([]);
}
