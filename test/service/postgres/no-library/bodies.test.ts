import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { begun } from '../../measurements/uploads/direct-world.ts';
import { uploadsBy } from '../../measurements/uploads/manifest-support.ts';
import { buildZip } from '../../measurements/registration/zip-builder.ts';
import { useWorld } from '../../use-service.ts';
import { BodyClient, bodyFiles, expectNothingLeft, startBodiesWorld } from './bodies-world.ts';

const world = useWorld(startBodiesWorld);
const client = (): BodyClient => new BodyClient(world.token);

/** In an order that is neither that of names nor that of a measurement. */
const zip = buildZip(
  Object.entries({ ...bodyFiles, 'm/.DS_Store': Buffer.from('left out') }).map(([name, data], at) => ({
    name,
    data,
    deflate: at % 3 > 0 || name.endsWith('.csv'),
  })),
);

test('an archive sent in one go is available when it is answered, and nothing else is left', async () => {
  expect(await client().put(world.first, 'in-one-go', zip)).toMatchObject({ state: 'available' });
  await client().expectFiles(world.second, 'in-one-go', bodyFiles);
  await expectNothingLeft(world);
});

test('an archive may come without a length', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-body-'));
  try {
    await writeFile(path.join(dir, 'run.zip'), zip);
    const sent = await client().putStream(world.first, 'no-length', path.join(dir, 'run.zip'));
    expect(sent).toMatchObject({ state: 'available' });
  } finally {
    await rm(dir, { recursive: true });
  }
  await client().expectFiles(world.second, 'no-length', bodyFiles);
});

test('the archive is that of its manifest, as after an upload with one', async () => {
  const { url } = world.second;
  const archive = Buffer.from(await (await client().fetched(`${url}/measurements/in-one-go`)).arrayBuffer());
  const listed = await client().fetched(`${url}/measurements/in-one-go/files`);
  const { files } = (await listed.json()) as { files: unknown };
  const uploads = uploadsBy(url, world.token);
  const address = await begun(uploads, JSON.stringify({ id: 'by-manifest', title: 'x', manifest: files }));
  expect((await uploads.patch(address, 0, archive)).status).toBe(204);
  await client().expectFiles(world.first, 'by-manifest', bodyFiles);
});

test('each request of an upload may go to another replica, and a part may be of any length', async () => {
  const bytes = randomBytes(30 * 1024 * 1024 + 7);
  const address = await client().create(world.first, 'in-turns', 'detector.bin', bytes.length);
  const lengths = [1, 100, 70_000, 9 * 1024 * 1024, 8 * 1024 * 1024, 12];
  let at = 0;
  for (const [turn, length] of [...lengths, bytes.length].entries()) {
    const replica = turn % 2 === 0 ? world.first : world.second;
    const sent = await client().patch(replica, address, at, bytes.subarray(at, at + length));
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([
      204,
      String(Math.min(bytes.length, at + length)),
    ]);
    at = Math.min(bytes.length, at + length);
    expect(await client().offset(turn % 2 === 0 ? world.second : world.first, address)).toBe(at);
  }
  await client().expectFiles(world.second, 'in-turns', { 'detector.bin': bytes });
  await expectNothingLeft(world);
});

test('an archive without files is a measurement without files', async () => {
  const empty = buildZip([{ name: 'folder/', mode: 0o040755 }]);
  expect(await client().put(world.first, 'no-files', empty)).toMatchObject({ state: 'available' });
  await client().expectFiles(world.second, 'no-files', {});
});

test('an empty file is a measurement', async () => {
  const address = await client().create(world.first, 'nothing', 'empty.txt', 0);
  await client().patch(world.first, address, 0, Buffer.alloc(0));
  await client().expectFiles(world.second, 'nothing', { 'empty.txt': Buffer.alloc(0) });
});

test('of a part with a wrong checksum nothing stays', async () => {
  const bytes = randomBytes(20 * 1024 * 1024);
  const address = await client().create(world.first, 'checked', 'checked.bin', bytes.length);
  const [head, rest] = [bytes.subarray(0, 1000), bytes.subarray(1000)];
  const checksum = (part: Buffer) => ({
    'upload-checksum': `sha1 ${createHash('sha1').update(part).digest('base64')}`,
  });
  expect((await client().patch(world.first, address, 0, head, checksum(head))).status).toBe(204);
  expect((await client().patch(world.second, address, 1000, rest, checksum(head))).status).toBe(460);
  expect(await client().offset(world.first, address)).toBe(1000);
  expect((await client().patch(world.first, address, 1000, rest, checksum(rest))).status).toBe(204);
  await client().expectFiles(world.second, 'checked', { 'checked.bin': bytes });
  await expectNothingLeft(world);
});

test('an upload that is given up leaves nothing', async () => {
  const address = await client().create(world.first, 'given-up', 'run.zip', zip.length);
  await client().patch(world.second, address, 0, zip.subarray(0, 10_000_000));
  expect(world.standIn.objects.size).toBeGreaterThan(0);
  expect((await client().fetched(`${world.first.url}${address}`, { method: 'DELETE' })).status).toBe(204);
  await expectNothingLeft(world);
});
