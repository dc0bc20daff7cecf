import { createHash, hash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asWindow } from '../../as-window.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { until } from '../../until.ts';
import { useWorld } from '../../use-service.ts';
import { makeFiles, register, startWithFolder } from '../registration/support.ts';
import { manifestOf } from '../uploads/manifest-support.ts';
import { makeZip } from '../uploads/support.ts';

const pieceBytes = 4 * 1024 * 1024;
const contents: Readonly<Record<string, Buffer>> = {
  'a-empty': Buffer.alloc(0),
  'b-small': Buffer.from('one piece'),
  'c-exact': randomBytes(pieceBytes),
  'd-more': randomBytes(pieceBytes + 1),
  'e-large': randomBytes(9 * 1024 * 1024 + 17),
};
const world = useWorld(async () => {
  const service = await startWithFolder();
  const alice = (await service.services.users.byUsername('alice'))?.id ?? 0;
  return {
    ...service,
    alice,
    aliceToken: await service.token(alice, ['api']),
    bob: await service.token(await service.user('bob')),
  };
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(world.url + path, { method, headers: { authorization: `Bearer ${world.aliceToken}`, ...headers } });

interface Listed {
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly piecesSha256?: string }[];
}

function piecesOf(bytes: Buffer): readonly string[] {
  return Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    hash('sha256', bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes)),
  );
}

/** Compares the pieces of a measurement, and their digests in its manifest, with the files. */
async function mustHavePieces(id: string): Promise<void> {
  const { files } = (await (await get(`/measurements/${id}/files`)).json()) as Listed;
  expect(files.map(({ path }) => path)).toEqual(Object.keys(contents));
  for (const [index, { path, piecesSha256 }] of files.entries()) {
    const expected = piecesOf(contents[path] ?? Buffer.alloc(0));
    const response = await get(`/measurements/${id}/files/${index}/pieces`);
    expect([response.status, await response.json()]).toEqual([200, { pieceLength: pieceBytes, sha256: expected }]);
    const digest = createHash('sha256')
      .update(Buffer.from(expected.join(''), 'hex'))
      .digest('hex');
    expect(piecesSha256).toBe(expected.length > 1 ? digest : undefined);
  }
}

describe('the pieces of files are hashed', () => {
  test('where they lie', async () => {
    await makeFiles(world.run, contents);
    expect((await register(world, { path: world.run, id: 'where', copy: false })).state).toBe('done');
    await mustHavePieces('where');
  });

  test('when they are copied', async () => {
    expect((await register(world, { path: world.run, id: 'copied', copy: true })).state).toBe('done');
    await mustHavePieces('copied');
  });

  test('when they come in an archive', async () => {
    const zip = await makeZip(`${world.files}/run.zip`, contents);
    expect((await register(world, { path: zip, id: 'unpacked', copy: true })).state).toBe('done');
    await mustHavePieces('unpacked');
  });

  test('while they are uploaded by a manifest, in two parts', async () => {
    const { body, archive } = manifestOf(
      'uploaded',
      Object.entries(contents).map(([path, bytes]) => ({ path, bytes })),
    );
    const created = await fetch(`${world.url}/api/v4/measurements/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.aliceToken}`, 'content-type': 'application/json' },
      body,
    });
    expect([created.status, await created.text()]).toEqual([201, expect.any(String)]);
    const address = created.headers.get('location') ?? '';
    const half = Math.floor(archive.length / 2);
    for (const [from, to] of [
      [0, half],
      [half, archive.length],
    ] as const) {
      const headers = {
        authorization: `Bearer ${world.aliceToken}`,
        'tus-resumable': '1.0.0',
        'upload-offset': String(from),
        'content-type': 'application/offset+octet-stream',
      };
      const part = new Uint8Array(archive.subarray(from, to));
      const sent = await fetch(new URL(address, world.url), { method: 'PATCH', headers, body: part });
      expect(sent.status).toBe(204);
    }
    await until(async () => (await world.services.measurements.byId('uploaded'))?.state === 'available', 'registered');
    await mustHavePieces('uploaded');
  });
});

describe('files that were registered before', () => {
  test('have none until they are verified, and their manifest stays as it is', async () => {
    await addMeasurement(
      world,
      world.alice,
      'old',
      Object.entries(contents).map(([path, bytes]) => ({ path, bytes })),
    );
    const before = await (await get('/measurements/old/files')).text();
    expect((await get('/measurements/old/files/1/pieces')).status).toBe(200);
    const refused = await get('/measurements/old/files/4/pieces');
    expect([refused.status, await refused.json()]).toMatchObject([404, { type: 'urn:benchport:problem:no-pieces' }]);
    const { body } = await asWindow(world, 'POST', '/api/v4/measurements/old/verify');
    const { id } = body as { readonly id: number };
    await until(async () => (await world.services.jobs.byId(id))?.state === 'done', 'verified');
    const response = await get('/measurements/old/files/4/pieces');
    expect(((await response.json()) as { readonly sha256: unknown }).sha256).toEqual(
      piecesOf(contents['e-large'] ?? Buffer.alloc(0)),
    );
    expect(await (await get('/measurements/old/files')).text()).toBe(before);
  });
});

describe('the list of pieces', () => {
  test('has an entity tag of its own, and answers HEAD', async () => {
    const response = await get('/measurements/where/files/4/pieces');
    await response.text();
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"pieces-[0-9a-f]{64}"$/);
    expect((await get('/measurements/where/files/4/pieces', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('/measurements/where/files/4/pieces', { 'if-match': '"other"' })).status).toBe(412);
    const head = await get('/measurements/where/files/4/pieces', {}, 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  test.each([
    ['/measurements/where/files/5/pieces', 404],
    ['/measurements/where/files/x/pieces', 404],
    ['/measurements/where/files/-1/pieces', 404],
    ['/measurements/nothing/files/0/pieces', 404],
  ])('%s is not there', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  test('needs the same access as the file', async () => {
    const path = '/measurements/where/files/4/pieces';
    expect((await fetch(world.url + path)).status).toBe(401);
    expect((await get(path, { authorization: `Bearer ${world.bob}` })).status).toBe(403);
  });
});
