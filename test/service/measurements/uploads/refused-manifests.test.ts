import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { exampleParts as parts, expectRefused, manifestOf, uploadsBy, withOtherBit } from './manifest-support.ts';
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

describe('refused, with nothing left', () => {
  test.each([
    ['a byte of a header', 3, 'before a/empty.txt'],
    ['a byte of a file', 6_000_000, 'a/scan.bin came with other bytes'],
    ['a byte of the directory', -50, 'after its files'],
  ])('%s is another one', async (_what, at, text) => {
    const { body, archive } = manifestOf('altered', parts);
    const address = client().addressIn(await client().create(body));
    await expectRefused(client(), address, withOtherBit(archive, at), text);
    expect(await uploadedFolders(service)).toEqual([]);
    expect((await client().fetched('/measurements/altered')).status).toBe(404);
    expect((await client().patch(address, 0, archive)).status).toBe(410);
  });

  test.each<[string, (entry: Record<string, unknown>[]) => unknown, string]>([
    ['a path out of the folder', (list) => list.push({ ...list[3], path: '../x' }), 'sorted'],
    ['a path with ..', (list) => list.splice(0, 4, { ...list[3], path: 'a/../../x' }), 'could lead out'],
    ['an absolute path', (list) => list.splice(0, 4, { ...list[3], path: '/x' }), 'absolute'],
    ['the same path twice', (list) => list.push({ ...list[3] }), 'each once'],
    ['paths that differ by case', (list) => list.splice(0, 0, { ...list[0], path: 'A/EMPTY.txt' }), 'only by case'],
    ['a file that is a folder too', (list) => list.splice(0, 0, { ...list[0], path: 'a' }), 'of a folder'],
    ['a name in decomposed form', (list) => list.splice(2, 1, { ...list[2], path: 'ka\u0308se.txt' }), 'NFC'],
    ['a negative length', (list) => list.splice(0, 1, { ...list[0], length: -1 }), 'Entry 0'],
    ['a length beyond all numbers', (list) => list.splice(0, 1, { ...list[0], length: 1e300 }), '2^53'],
    ['lengths that are too much together', (list) => list.forEach((one) => (one['length'] = 2 ** 52)), '2^53'],
    ['no checksum', (list) => delete list[0]?.['sha256'], 'Entry 0'],
    [
      'a time that does not exist',
      (list) => list.splice(0, 1, { ...list[0], registrationTime: '2026-02-31T25:00:00Z' }),
      'does not exist',
    ],
  ])('%s', async (_what, change, text) => {
    const { document } = manifestOf('hostile', parts);
    change(document.manifest);
    const answer = await client().create(JSON.stringify(document));
    expect([answer.status, ((await answer.json()) as { readonly detail: string }).detail]).toEqual([
      422,
      expect.stringContaining(text),
    ]);
    expect(await uploadedFolders(service)).toEqual([]);
  });

  test('what is no manifest, one without an id, a line that is too long, and one that is not UTF-8', async () => {
    const bodies: [string | Uint8Array<ArrayBuffer>, string][] = [
      ['[1]', 'application/json'],
      ['{"manifest":[]}', 'application/json'],
      ['{"id":"x"}', 'application/json'],
      ['', 'application/x-ndjson'],
      [`{"id":"x"}\n{"path":"${'x'.repeat(300_000)}`, 'application/x-ndjson'],
      [Uint8Array.from(Buffer.from('{"id":"x","title":"\xff"}', 'latin1')), 'application/x-ndjson'],
    ];
    for (const [body, type] of bodies) expect((await client().create(body, type)).status).toBe(400);
    expect(await uploadedFolders(service)).toEqual([]);
  });

  test('without the scope, and with a checksum header, which the manifest replaces', async () => {
    const reader = await service.token(alice, ['read_measurement']);
    const { body, archive } = manifestOf('scoped', parts);
    expect((await client(reader).create(body)).status).toBe(403);
    const address = client().addressIn(await client().create(body));
    const sent = await client().patch(address, 0, archive, { 'upload-checksum': 'sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=' });
    expect(sent.status).toBe(400);
    await fetch(address, { method: 'DELETE', headers: client().headers });
  });

  test('more than fits', async () => {
    const { document } = manifestOf('huge', parts);
    document.manifest.forEach((one) => (one['length'] = 2 ** 50));
    expect((await client().create(JSON.stringify(document))).status).toBe(413);
    expect(await uploadedFolders(service)).toEqual([]);
  });
});

test('refused manifests leave no open file and no timer behind', async () => {
  const { document, body: first } = manifestOf('same', parts);
  expect((await client().create(first)).status).toBe(201);
  const other = { ...document.manifest[3], sha256: 'a'.repeat(64) };
  const body = JSON.stringify({ ...document, manifest: [...document.manifest.slice(0, 3), other] });
  const before = await held();
  for (let i = 0; i < 20; i += 1) {
    expect((await client().create(body)).status).toBe(409);
    expect((await client().create('[1]\n', 'application/x-ndjson')).status).toBe(400);
  }
  // Far fewer than the forty requests; connections that are kept alive come and go.
  await expect.poll(held, { timeout: 10_000 }).toBeLessThan(before + 15);
});

/** Number of open files and timers of this process. */
async function held(): Promise<number> {
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  return (await readdir(`/proc/${process.pid}/fd`)).length + timers;
}
