import { randomBytes } from 'node:crypto';
import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { bigFile, exampleParts as parts, manifestOf, uploadsBy } from './manifest-support.ts';
import { uploadedFolders } from './support.ts';
import { useTestService } from '../../use-service.ts';

const service = useTestService();
let alice: number;
let token: string;

beforeAll(async () => {
  alice = await service.user('alice');
  token = await service.token(alice, ['write_measurement', 'read_measurement']);
});

const client = (who = token) => uploadsBy(service.url, who);

async function available(id: string): Promise<void> {
  await expect
    .poll(async () => (await client().fetched(`/measurements/${id}`, { method: 'HEAD' })).status, { timeout: 60_000 })
    .toBe(200);
}

describe('an upload with a manifest', () => {
  test('is the archive that follows from it, and is available with the same bytes', async () => {
    const { body, archive } = manifestOf('whole', parts);
    const created = await client().create(body);
    expect(created.status).toBe(201);
    const shape = (await created.json()) as { readonly length: number; readonly state: string };
    expect([shape.length, shape.state]).toEqual([archive.length, 'receiving']);
    const address = client().addressIn(created);
    const sent = await client().patch(address, 0, archive);
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, String(archive.length)]);
    await available('whole');
    const whole = Buffer.from(await (await client().fetched('/measurements/whole')).arrayBuffer());
    expect(whole.equals(archive)).toBe(true);
    const range = await client().fetched('/measurements/whole/files/1', {
      headers: { range: 'bytes=5000000-5000009' },
    });
    expect(Buffer.from(await range.arrayBuffer()).equals(bigFile.subarray(5_000_000, 5_000_010))).toBe(true);
    await expect.poll(async () => uploadedFolders(service)).toEqual([]);
  });

  test('goes on after any byte', async () => {
    const { body, archive } = manifestOf('cut', parts);
    const address = client().addressIn(await client().create(body));
    const cuts = [0, 10, 40, 60, 100, 4_000_000, 4_000_001, 9_000_150, archive.length - 300, archive.length - 1];
    for (const [at, from] of cuts.entries()) {
      expect(await client().offset(address)).toBe(from);
      const sent = await client().patch(address, from, archive.subarray(from, cuts[at + 1] ?? archive.length));
      expect(sent.status).toBe(204);
    }
    await available('cut');
    const whole = Buffer.from(await (await client().fetched('/measurements/cut')).arrayBuffer());
    expect(whole.equals(archive)).toBe(true);
  });

  test('the same manifest again is the same upload, and then the same measurement; another one is refused', async () => {
    const { body, archive } = manifestOf('same', parts);
    const first = await client().create(body);
    const again = await client().create(body);
    expect([again.status, again.headers.get('location')]).toEqual([200, first.headers.get('location')]);
    const other = manifestOf('same', parts.slice(1));
    expect((await client().create(other.body)).status).toBe(409);
    await client().patch(client().addressIn(first), 0, archive);
    await available('same');
    const later = await client().create(manifestOf('same', parts, '2026-03-01T00:00:00Z').body);
    expect([later.status, await later.json()]).toMatchObject([200, { state: 'available', id: null }]);
    expect((await client().create(other.body)).status).toBe(409);
    const bob = await service.token(await service.user('bob'), ['write_measurement']);
    expect((await client(bob).create(body)).status).toBe(409);
    expect(await uploadedFolders(service)).toEqual([]);
  });

  test('of no files is an empty measurement', async () => {
    const { body, archive } = manifestOf('none', []);
    const sent = await client().patch(client().addressIn(await client().create(body)), 0, archive);
    expect(sent.status).toBe(204);
    await available('none');
    expect(await (await client().fetched('/measurements/none/files')).json()).toMatchObject({ files: [] });
  });

  test('lines and one document are the same', async () => {
    const { lines, body } = manifestOf('lines', parts);
    const first = await client().create(lines, 'application/x-ndjson');
    expect(first.status).toBe(201);
    expect((await client().create(body)).headers.get('location')).toBe(first.headers.get('location'));
    await fetch(client().addressIn(first), { method: 'DELETE', headers: client().headers });
    expect(await uploadedFolders(service)).toEqual([]);
  });
});

test('an upload whose manifest is gone after a restored backup ends, and begins anew', async () => {
  const { body, archive } = manifestOf('restored', parts);
  const address = client().addressIn(await client().create(body));
  await client().patch(address, 0, archive.subarray(0, 100));
  await rm(path.join(service.services.paths.library, 'uploads'), { recursive: true });
  expect((await client().patch(address, 100, archive.subarray(100))).status).toBe(410);
  const again = await client().create(body);
  expect(again.status).toBe(201);
  expect((await client().patch(client().addressIn(again), 0, archive)).status).toBe(204);
  await available('restored');
});

test('an upload that needs most of the room on the disk is found again, and another one is refused', async () => {
  const { bavail, bsize } = await statfs(service.dir);
  const { document } = manifestOf('most', parts);
  document.manifest.forEach((one) => (one['length'] = Math.floor((bavail * bsize * 0.7) / parts.length)));
  const body = JSON.stringify(document);
  const created = await client().create(body);
  expect([created.status, (await client().create(body)).status]).toEqual([201, 200]);
  expect((await client().create(JSON.stringify({ ...document, id: 'more' }))).status).toBe(413);
  await fetch(client().addressIn(created), { method: 'DELETE', headers: client().headers });
});

test('F3: a part of the bytes is never a measurement (nextcloud/desktop 8739, irods 378)', async () => {
  const { body, archive } = manifestOf('stump', parts);
  const address = client().addressIn(await client().create(body));
  await client().patch(address, 0, archive.subarray(0, 5_000_000));
  // An empty part does not end the upload early.
  const more = await client().patch(address, 5_000_000, Buffer.alloc(0));
  expect([more.status, more.headers.get('upload-offset')]).toEqual([204, '5000000']);
  for (const rest of ['', '/files', '/files/0'])
    expect((await client().fetched(`/measurements/stump${rest}`)).status).toBe(404);
  const state = (await (await client().fetched(new URL(address).pathname)).json()) as Record<string, unknown>;
  expect([state['state'], state['offset'], state['length']]).toEqual(['receiving', 5_000_000, archive.length]);
  const beyond = await client().patch(address, 5_000_000, Buffer.alloc(archive.length));
  expect([413, 422]).toContain(beyond.status);
  expect((await client().fetched('/measurements/stump')).status).toBe(404);
  await fetch(address, { method: 'DELETE', headers: client().headers });
});

test('two writers of one upload: the later one goes on, and the bytes are right', async () => {
  const { body, archive } = manifestOf('writers', parts);
  const address = client().addressIn(await client().create(body));
  const racing = Array.from({ length: 8 }, async () => {
    for (let tries = 0; tries < 50; tries += 1) {
      const from = await client().offset(address);
      if (from === archive.length) return;
      await client()
        .patch(address, from, archive.subarray(from, from + 1_300_000))
        .catch(() => null);
    }
  });
  await Promise.all(racing);
  await available('writers');
  const whole = Buffer.from(await (await client().fetched('/measurements/writers')).arrayBuffer());
  expect(whole.equals(archive)).toBe(true);
});

test('many small files, sixty uploads at once', async () => {
  const small = Array.from({ length: 30 }, (_, i) => ({
    path: `f${String(i).padStart(2, '0')}.txt`,
    bytes: randomBytes(500 + i),
  }));
  const ids = Array.from({ length: 60 }, (_, i) => `small-${i}`);
  await Promise.all(
    ids.map(async (id) => {
      const { body, archive } = manifestOf(id, small);
      for (;;) {
        const created = await client().create(body);
        if (created.status === 429) {
          await setTimeout(50);
          continue;
        }
        const sent = await client().patch(client().addressIn(created), 0, archive);
        if (sent.status === 204) return;
      }
    }),
  );
  for (const id of ids) await available(id);
}, 180_000);
