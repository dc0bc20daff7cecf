import { hash } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { localHeaderLength } from '../../../src-shared/archive/zip-format.ts';
import { addMeasurement, type Fixture, openBeside } from '../fixture-measurement.ts';
import { mustRun, sevenZip } from '../run-program.ts';
import { useTestService } from '../use-service.ts';

const lengths = {
  'a-fffffffe.bin': 0xfffffffe,
  'b-ffffffff.bin': 0xffffffff,
  'c-100000000.bin': 0x100000000,
  'd-small.txt': 7,
  'e-empty': 0,
  'ü.txt': 7,
};
const service = useTestService();
let headers: { authorization: string };
let fixture: Fixture;

beforeAll(async () => {
  const alice = await service.user('alice');
  headers = { authorization: `Bearer ${await service.token(alice)}` };
  const root = path.join(service.dir, 'instrument', 'huge');
  await mkdir(root, { recursive: true });
  // Sparse files of twelve gigabytes; only headers are read, so their checksums may be wrong.
  for (const [name, length] of Object.entries(lengths)) {
    const handle = await open(path.join(root, name), 'w');
    await handle.truncate(length);
    await handle.close();
  }
  const facts = { crc32: 0x12345678, sha256: Buffer.alloc(32, 1) };
  fixture = await addMeasurement(
    service,
    alice,
    'huge',
    Object.keys(lengths).map((name) => ({ path: name, ...facts })),
  );
});

async function range(from: number, to: number): Promise<Buffer> {
  const response = await fetch(`${service.url}/measurements/huge`, {
    headers: { ...headers, range: `bytes=${from}-${to - 1}` },
  });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${fixture.archiveBytes}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Positions inside the ZIP64 end record, inside its locator and inside the ordinary end record. */
const cutsInEnd = (end: number): readonly number[] => [end - 22 - 20 - 56 + 31, end - 22 - 7, end - 9];

/** The clients that resume a partial archive file. */
function continued(url: string, file: string): readonly (() => Promise<string>)[] {
  const authorization = `Authorization: ${headers.authorization}`;
  return [
    () => mustRun('curl', ['-sSf', '-H', authorization, '-C', '-', '-o', file, url]),
    () => mustRun('wget', ['-q', '--header', authorization, '-c', '-O', file, url]),
  ];
}

async function tailOf(file: string, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    return (await handle.read(Buffer.alloc(length), 0, length, size - length)).buffer;
  } finally {
    await handle.close();
  }
}

describe('an archive of twelve gigabytes', () => {
  test('is read by other programs when its headers are where the service puts them', async () => {
    const database = openBeside(service);
    const rows = database
      .prepare<[], { path: string; length: number; crc32: number; archive_offset: number }>(
        'SELECT * FROM measurement_files ORDER BY idx',
      )
      .all();
    const shape = database
      .prepare<[], { offset: number }>('SELECT archive_directory_offset AS offset FROM measurements')
      .get();
    database.close();
    const file = path.join(service.dir, 'huge.zip');
    const copy = await open(file, 'w');
    for (const row of rows) {
      const header = localHeaderLength(row);
      await copy.write(await range(row.archive_offset, row.archive_offset + header), 0, header, row.archive_offset);
    }
    const tail = await range(shape?.offset ?? 0, fixture.archiveBytes);
    await copy.write(tail, 0, tail.length, shape?.offset ?? 0);
    await copy.close();

    const python = await mustRun('python3', [
      '-c',
      `import zipfile,sys,json
z=zipfile.ZipFile(sys.argv[1])
for i in z.infolist():
    if i.file_size > 100: z.open(i).read(5)
print(json.dumps([[i.filename,i.file_size,i.header_offset,i.extract_version,i.CRC] for i in z.infolist()]))`,
      file,
    ]);
    const beyond = (row: (typeof rows)[number]) => row.length >= 0xffffffff || row.archive_offset >= 0xffffffff;
    expect(JSON.parse(python)).toEqual(
      rows.map((row) => [row.path, row.length, row.archive_offset, beyond(row) ? 45 : 20, row.crc32]),
    );
    const zipinfo = await mustRun('zipinfo', ['-l', file]);
    for (const length of new Set(Object.values(lengths))) expect(zipinfo).toMatch(new RegExp(`\\s${length}\\s`));
    expect(await sevenZip(['l', file])).toContain(`${Object.keys(lengths).length} files`);
    const last = await mustRun('unzip', ['-Z1', file]);
    expect(last.trim().split('\n')).toEqual(rows.map((row) => row.path));

    // Cut inside the directory, inside each ZIP64 end record, and inside the last 22 bytes.
    const end = fixture.archiveBytes;
    for (const cut of [end - tail.length + 50, ...cutsInEnd(end)]) {
      for (const go of continued(`${service.url}/measurements/huge`, file)) {
        await truncate(file, cut);
        await go();
        expect((await stat(file)).size).toBe(end);
        expect((await tailOf(file, tail.length)).equals(tail)).toBe(true);
      }
    }
    await rm(file);
  });

  test('is read from beyond four gigabytes without reading the members before', async () => {
    // Without the first member, any read of it would fail.
    await rm(path.join(fixture.root, 'a-fffffffe.bin'));
    const bytes = await range(0x100000000 + 5000, 0x100000000 + 15_000);
    expect(bytes.equals(Buffer.alloc(10_000))).toBe(true);
    expect((await range(fixture.archiveBytes - 22, fixture.archiveBytes)).readUInt32LE(0)).toBe(0x06054b50);
  });
});

test('of 66,000 entries is sent over HTTP as ZIP64', async () => {
  const names = Array.from({ length: 66_000 }, (_, i) => `f${String(i).padStart(5, '0')}`);
  const alice = 1;
  const many = await addMeasurement(
    service,
    alice,
    'many',
    names.map((name) => ({ path: name, rowOnly: true })),
  );
  const file = path.join(service.dir, 'many.zip');
  await mustRun('curl', [
    '-sSf',
    '-H',
    `Authorization: ${headers.authorization}`,
    '-o',
    file,
    `${service.url}/measurements/many`,
  ]);
  expect((await mustRun('bsdtar', ['-tf', file])) === `${names.join('\n')}\n`).toBe(true);
  expect((await mustRun('zipinfo', ['-h', file])).trim()).toContain(
    `Zip file size: ${many.archiveBytes} bytes, number of entries: 66000`,
  );
  const whole = await readFile(file);
  for (const cut of [1_000_003, 4_000_009, ...cutsInEnd(whole.length)]) {
    for (const go of continued(`${service.url}/measurements/many`, file)) {
      await truncate(file, cut);
      await go();
      expect(hash('sha256', await readFile(file))).toBe(hash('sha256', whole));
    }
  }
});
