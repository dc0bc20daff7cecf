import { crc32 } from '@node-rs/crc32';
import { closeSync, ftruncateSync, futimesSync, openSync, writeSync } from 'node:fs';
import { appendFile, chmod, link, readFile, rename, rm, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { addMeasurement, changeSeen, openBeside, type Fixture } from '../../fixture-measurement.ts';
import { run } from '../../run-program.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

const mebibyte = 1024 * 1024;
const length = 48 * mebibyte;
const bytes = Buffer.alloc(length, Buffer.from(Array.from({ length: 65_521 }, (_, i) => (i * 31 + (i >> 8)) & 0xff)));
const service = useTestService();
const alice = useUser(service, 'alice');
let number = 0;

async function large(): Promise<Fixture & { readonly file: string }> {
  number += 1;
  const fixture = await addMeasurement(service, alice.id, `a${number}`, [
    { path: 'a.bin', bytes },
    { path: 'b.bin', bytes: 'another' },
  ]);
  const file = path.join(fixture.root, 'a.bin');
  // utimes can restore whole seconds exactly, and an old time does not count as changed just now.
  await utimes(file, 1_700_000_000, 1_700_000_000);
  const database = openBeside(service);
  database
    .prepare('UPDATE measurement_files SET mtime_ns = ? WHERE measurement_id = ? AND idx = 0')
    .run('1700000000000000000', fixture.id);
  database.close();
  return { ...fixture, file };
}

const other = Buffer.alloc(length - 2 * mebibyte, 7);

/** Overwrites a file from the second mebibyte on, and restores its time. */
async function inPlace(file: string, from = 2 * mebibyte, count = length - from): Promise<void> {
  const fd = openSync(file, 'r+');
  writeSync(fd, other, 0, count, from);
  futimesSync(fd, 1_700_000_000, 1_700_000_000);
  closeSync(fd);
}

const alterations: readonly (readonly [string, (file: string) => Promise<unknown>])[] = [
  [
    'overwritten in place',
    (file) => writeFile(file, Buffer.concat([bytes.subarray(0, 2 * mebibyte), other]), { flag: 'r+' }),
  ],
  ['overwritten in place, its time put back', (file) => inPlace(file)],
  ['overwritten in one byte, its time put back', (file) => inPlace(file, length - 4000, 1)],
  [
    'truncated and grown, its time put back',
    async (file) => {
      const fd = openSync(file, 'r+');
      ftruncateSync(fd, mebibyte);
      ftruncateSync(fd, length);
      futimesSync(fd, 1_700_000_000, 1_700_000_000);
      closeSync(fd);
    },
  ],
  ['truncated', (file) => truncate(file, 2 * mebibyte)],
  ['grown', (file) => appendFile(file, 'more')],
  [
    'replaced by other bytes of the same size and time',
    async (file) => {
      await writeFile(`${file}.new`, Buffer.concat([bytes.subarray(0, 2 * mebibyte), other]));
      await utimes(`${file}.new`, 1_700_000_000, 1_700_000_000);
      await rename(`${file}.new`, file);
    },
  ],
  [
    'removed and written again with the same size and time',
    async (file) => {
      await unlink(file);
      await writeFile(file, Buffer.concat([bytes.subarray(0, 2 * mebibyte), other]));
      await utimes(file, 1_700_000_000, 1_700_000_000);
    },
  ],
  ['filled with zeros, its time put back', async (file) => inPlace(file, 2 * mebibyte, 20 * mebibyte)],
  [
    'punched full of holes',
    async (file) => expect((await run('fallocate', ['-p', '-o', '4194304', '-l', '37748736', file])).status).toBe(0),
  ],
  [
    'overwritten and put back',
    async (file) => {
      await inPlace(file);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await writeFile(file, bytes, { flag: 'r+' });
      await utimes(file, 1_700_000_000, 1_700_000_000);
    },
  ],
  ['removed', (file) => rm(file)],
];

const ranges = ['bytes=1000000-', `bytes=${20 * mebibyte}-${21 * mebibyte}`, `bytes=${length - 5000}-${length - 1}`];

/** A body of the length in its head is the registered one. */
async function isRightOrRefused(where: string, range: string, offset = 0): Promise<string> {
  const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(range) ?? [];
  const start = Number(from) - offset;
  const wanted = bytes.subarray(start, to === '' ? length : Number(to) - offset + 1);
  try {
    const response = await alice.get(where, { range });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status !== 206) return String(response.status);
    return body.subarray(0, wanted.length).equals(wanted) ? 'right' : 'wrong';
  } catch {
    return 'cut';
  }
}

describe('M2: a range of a file that was altered before the request is never complete and wrong', () => {
  test.each(alterations)('%s', async (how, change) => {
    const { id, file } = await large();
    const where = `/measurements/${id}/files/0`;
    // The descriptor is open and its blocks are verified.
    for (const range of ranges) expect(await isRightOrRefused(where, range)).toBe('right');
    await change(file);
    const found = [];
    for (const range of ranges) found.push(await isRightOrRefused(where, range));
    expect(found).not.toContain('wrong');
    if (how === 'overwritten and put back') expect(found).toEqual(['right', 'right', 'right']);
    // A request for the altered bytes is refused.
    if (how.startsWith('overwritten in place') || how.startsWith('replaced')) expect(found[1]).toBe('409');
  });

  test('in the archive', async () => {
    const { id, file } = await large();
    const range = `bytes=${30 * mebibyte}-${31 * mebibyte}`;
    expect((await alice.get(`/measurements/${id}`, { range })).status).toBe(206);
    await inPlace(file);
    expect((await alice.get(`/measurements/${id}`, { range })).status).toBe(409);
  });
});

describe('M2: a range of a file that is altered during the response is never complete and wrong', () => {
  test.each(alterations)('%s', async (_how, change) => {
    const { id, file } = await large();
    const client = await RawClient.open(service.url);
    client.get(
      `/measurements/${id}/files/0`,
      `Authorization: Bearer ${alice.token}`,
      'Range: bytes=1000-',
      'Connection: close',
    );
    await client.until(100_000);
    client.pause();
    await change(file);
    client.resume();
    await client.drain();
    expect(client.status).toBe(206);
    expect(client.bodyReceived).toBeLessThan(length - 1000);
    expect(client.bodyReceived).toBeGreaterThan(50_000);
  });

  test('a file of which only permissions and links change is not called altered', async () => {
    const { id, file } = await large();
    const where = `/measurements/${id}/files/0`;
    expect(await isRightOrRefused(where, 'bytes=5-9')).toBe('right');
    await chmod(file, 0o600);
    await link(file, `${file}.link`);
    await rename(file, `${file}.away`);
    await rename(`${file}.away`, file);
    for (const range of ranges) expect(await isRightOrRefused(where, range)).toBe('right');
    expect((await service.services.measurements.byId(id))?.state).toBe('available');
  });
});

test('M2: a file without block checksums is served, and has them after a verification', async () => {
  const { id, file } = await large();
  const database = openBeside(service);
  const sums = database.prepare('SELECT sums FROM measurement_blocks WHERE measurement_id = ?').pluck();
  const before = sums.get(id) as Buffer;
  database.prepare('DELETE FROM measurement_blocks WHERE measurement_id = ?').run(id);
  const where = `/measurements/${id}/files/0`;
  expect(await isRightOrRefused(where, 'bytes=5000000-5000009')).toBe('right');
  const started = await fetch(`${service.url}/api/v4/measurements/${id}/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await service.token(alice.id, ['api'])}` },
  });
  expect(started.status).toBe(202);
  await until(() => sums.get(id) !== undefined, 'the sums are there');
  expect((sums.get(id) as Buffer).equals(before)).toBe(true);
  expect(before.readUInt32LE(before.length - 4)).toBe(crc32(await readFile(file)));
  await inPlace(file);
  expect(await isRightOrRefused(where, 'bytes=5000000-5000009')).toBe('409');
  database.close();
});

test('M2: block checksums added later are compared, also for a block that was sent without them', async () => {
  const { id, file } = await large();
  const where = `/measurements/${id}/files/0`;
  const database = openBeside(service);
  database.prepare('CREATE TEMP TABLE kept AS SELECT * FROM measurement_blocks WHERE measurement_id = ?').run(id);
  database.prepare('DELETE FROM measurement_blocks WHERE measurement_id = ?').run(id);
  await inPlace(file);
  // Without block checksums the change goes unnoticed.
  expect(await isRightOrRefused(where, 'bytes=5000000-5000009')).toBe('wrong');
  database.exec('INSERT INTO measurement_blocks SELECT * FROM kept');
  database.close();
  await changeSeen(service);
  expect(await isRightOrRefused(where, 'bytes=5000000-5000009')).toBe('409');
});
