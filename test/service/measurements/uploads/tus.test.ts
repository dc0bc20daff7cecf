import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Upload as TusUpload } from 'tus-js-client';
import { expireUploads } from '../../../../src-main/service/measurements/uploads/expire-uploads.ts';
import { RawClient } from '../../raw-client.ts';
import { useTestService } from '../../use-service.ts';
import { makeZip, uploadedFolders } from './support.ts';

const service = useTestService();
const big = randomBytes(5_000_000);
let dir: string;
let zip: string;
let alice: number;
let token: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-tus-'));
  zip = await makeZip(path.join(dir, 'run.zip'), { 'scan.bin': big, 'notes.txt': Buffer.from('a\n') });
  alice = await service.user('alice');
  token = await service.token(alice, ['write_measurement', 'read_measurement']);
});
afterAll(async () => rm(dir, { recursive: true }));

const base = () => `${service.url}/api/v4/measurements/uploads`;
const encoded = (text: string) => Buffer.from(text).toString('base64');
const common = () => ({ authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' });

async function create(id: string, length: number, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const metadata = `id ${encoded(id)},filename ${encoded('run.zip')}`;
  const headers = { ...common(), 'upload-length': String(length), 'upload-metadata': metadata, ...more };
  return fetch(base(), { method: 'POST', headers });
}

function addressIn(answer: Response): string {
  return new URL(answer.headers.get('location') ?? '', service.url).href;
}

/** @returns the address of a new upload. */
async function begun(id: string, length: number): Promise<string> {
  const answer = await create(id, length);
  expect(answer.status).toBe(201);
  return addressIn(answer);
}

async function patch(
  address: string,
  offset: number,
  body: Buffer,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = {
    ...common(),
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
    ...more,
  };
  return fetch(address, { method: 'PATCH', headers, body: Uint8Array.from(body) });
}

async function offsetOf(address: string): Promise<number> {
  const answer = await fetch(address, { method: 'HEAD', headers: common() });
  expect(answer.status).toBe(200);
  return Number(answer.headers.get('upload-offset'));
}

async function stateOf(address: string): Promise<Readonly<Record<string, unknown>>> {
  return (await (await fetch(address, { headers: common() })).json()) as Readonly<Record<string, unknown>>;
}

async function bytesOf(id: string, index: number): Promise<Buffer> {
  const answer = await fetch(`${service.url}/measurements/${id}/files/${index}`, { headers: common() });
  return Buffer.from(await answer.arrayBuffer());
}

describe('tus-js-client 4.3.1', () => {
  test('uploads a file in pieces, with checks of its own, which is then available', async () => {
    const { size } = await stat(zip);
    await new Promise<void>((resolve, reject) => {
      new TusUpload(createReadStream(zip), {
        endpoint: base(),
        uploadSize: size,
        chunkSize: 1_000_000,
        headers: { authorization: `Bearer ${token}` },
        metadata: { id: 'by-client', title: 'Größe', filename: 'run.zip' },
        retryDelays: null,
        onError: reject,
        onSuccess: () => resolve(),
      }).start();
    });
    await expect.poll(async () => (await bytesOf('by-client', 1)).equals(big), { timeout: 20_000 }).toBe(true);
    expect(await uploadedFolders(service)).toEqual([]);
  });
});

/** Sends bytes of a body that announces all that are missing. */
async function sendPart(address: string, whole: Buffer, offset: number, end: number): Promise<RawClient> {
  const client = await RawClient.open(service.url);
  const head = { ...common(), 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
  const lines = Object.entries({ host: '127.0.0.1', ...head, 'content-length': String(whole.length - offset) });
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  client.socket.write(`PATCH ${new URL(address).pathname} HTTP/1.1\r\n${text}\r\n`);
  client.socket.write(whole.subarray(offset, end));
  return client;
}

test('what came before a cut stays, and a later request takes over from one that is silent', async () => {
  const whole = await readFile(zip);
  const address = await begun('cut', whole.length);
  let offset = 0;
  for (let cut = 0; cut < 20; cut += 1) {
    const end = offset + 100_000 + Math.floor(Math.random() * 100_000);
    const client = await sendPart(address, whole, offset, end);
    await expect.poll(async () => offsetOf(address)).toBe(end);
    if (cut % 2 === 0) client.socket.destroy();
    offset = end;
  }
  expect((await patch(address, offset, whole.subarray(offset))).status).toBe(204);
  await expect.poll(async () => (await stateOf(address))['state'], { timeout: 20_000 }).toBe('available');
  expect((await bytesOf('cut', 1)).equals(big)).toBe(true);
});

test('an upload whose last answer was lost by a kill is registered when somebody asks for it', async () => {
  const whole = await readFile(zip);
  const address = await begun('killed', whole.length);
  const folder = path.join(service.services.paths.library, 'uploads', path.basename(address));
  await writeFile(path.join(folder, 'run.zip'), whole);
  expect(await offsetOf(address)).toBe(whole.length);
  await expect.poll(async () => (await stateOf(address))['state'], { timeout: 20_000 }).toBe('available');
  expect((await bytesOf('killed', 1)).equals(big)).toBe(true);
});

test('an upload goes on from nothing when a restored backup lacks its bytes', async () => {
  const address = await begun('restored', 1000);
  await patch(address, 0, randomBytes(10));
  await rm(path.join(service.services.paths.library, 'uploads', path.basename(address)), { recursive: true });
  expect(await offsetOf(address)).toBe(0);
  expect((await patch(address, 0, randomBytes(10))).status).toBe(204);
  expect(await offsetOf(address)).toBe(10);
  await fetch(address, { method: 'DELETE', headers: common() });
});

test('a part with another checksum is refused and leaves nothing of itself', async () => {
  const whole = await readFile(zip);
  const address = await begun('summed', whole.length);
  const part = whole.subarray(0, 700_000);
  const sum = (bytes: Buffer) => `sha1 ${createHash('sha1').update(bytes).digest('base64')}`;
  expect((await patch(address, 0, part, { 'upload-checksum': sum(whole) })).status).toBe(460);
  expect(await offsetOf(address)).toBe(0);
  expect((await patch(address, 0, part, { 'upload-checksum': 'md7 AAAA' })).status).toBe(400);
  expect((await patch(address, 0, part, { 'upload-checksum': sum(part) })).status).toBe(204);
  expect(await offsetOf(address)).toBe(part.length);
  expect((await fetch(address, { method: 'DELETE', headers: common() })).status).toBe(204);
  expect((await fetch(address, { method: 'HEAD', headers: common() })).status).toBe(404);
});

test('a file that is no archive becomes the only file of its measurement', async () => {
  const bytes = randomBytes(10_000);
  const metadata = `id ${encoded('single')},filename ${encoded('Größe 1.csv')}`;
  const answer = await create('single', bytes.length, { 'upload-metadata': metadata });
  const address = addressIn(answer);
  expect((await patch(address, 0, bytes)).headers.get('upload-offset')).toBe(String(bytes.length));
  await expect.poll(async () => (await stateOf(address))['state'], { timeout: 20_000 }).toBe('available');
  const manifest = await fetch(`${service.url}/measurements/single/files`, { headers: common() });
  expect(await manifest.json()).toMatchObject({ files: [{ path: 'Größe 1.csv', length: bytes.length }] });
});

test('wrong requests are refused, and the upload stays as it is', async () => {
  const address = await begun('strict', 1000);
  expect((await patch(address, 0, randomBytes(400))).status).toBe(204);
  const refused = [
    [409, await patch(address, 0, randomBytes(10))],
    [413, await patch(address, 400, randomBytes(601))],
    [415, await patch(address, 400, randomBytes(10), { 'content-type': 'text/plain' })],
    [412, await patch(address, 400, randomBytes(10), { 'tus-resumable': '0.2.2' })],
    [400, await patch(address, 400, randomBytes(10), { 'upload-offset': '-1' })],
    [409, await create('strict', 1000)],
    [409, await create('STRICT', 1000)],
    [400, await create('x', 1000, { 'upload-metadata': 'id ###' })],
    [400, await create('../x', 1000)],
    [400, await create('x', 1000, { 'upload-metadata': `id ${encoded('x')},filename ${encoded('../x.zip')}` })],
    [400, await create('x', 1000, { 'upload-metadata': `id ${encoded('x')},filename ${encoded('ä'.repeat(200))}` })],
    [400, await create('x', 1000, { 'upload-length': '1e3' })],
    [413, await create('x', 2 ** 52)],
    [404, await create('x', 1000, { 'upload-metadata': `id ${encoded('x')},project ${encoded('lab/none')}` })],
  ] as const;
  for (const [status, answer] of refused) expect([status, answer.status]).toEqual([status, status]);
  expect(await offsetOf(address)).toBe(400);
  const foreign = await service.token(await service.user('bob'), ['api']);
  for (const method of ['GET', 'HEAD', 'DELETE'])
    expect(
      (await fetch(address, { method, headers: { ...common(), authorization: `Bearer ${foreign}` } })).status,
    ).toBe(404);
  await fetch(address, { method: 'DELETE', headers: common() });
  expect(await uploadedFolders(service)).toEqual([]);
});

test('OPTIONS says what can be done', async () => {
  const answer = await fetch(base(), { method: 'OPTIONS' });
  expect([answer.status, answer.headers.get('tus-version'), answer.headers.get('tus-extension')]).toEqual([
    204,
    '1.0.0',
    'creation,creation-with-upload,checksum,expiration,termination',
  ]);
});

test('an upload to which nothing comes for a week is removed, as is a folder without one', async () => {
  const address = await begun('old', 1000);
  await patch(address, 0, randomBytes(10));
  await expireUploads(service.services);
  expect(await offsetOf(address)).toBe(10);
  await expireUploads(service.services, Date.now() + 8 * 86_400_000);
  expect((await fetch(address, { headers: common() })).status).toBe(404);
  expect(await uploadedFolders(service)).toEqual([]);
});

test('64 writers at once each upload a measurement, and no user has too many', async () => {
  const bytes = await readFile(await makeZip(path.join(dir, 'small.zip'), { 'a.txt': Buffer.from('small') }));
  const users = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => service.token(await service.user(`writer${at}`), ['write_measurement'])),
  );
  const answers = await Promise.all(
    Array.from({ length: 64 }, async (_, at) =>
      fetch(`${service.url}/api/v4/measurements/many-${at}/archive`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${users[at % 8]}` },
        body: bytes,
      }),
    ),
  );
  // 202 where the registration of all takes longer than an answer may.
  expect(answers.filter(({ status }) => status !== 201 && status !== 202)).toEqual([]);
  const states = async () =>
    Promise.all(
      Array.from({ length: 64 }, async (_, at) => (await service.services.measurements.byId(`many-${at}`))?.state),
    );
  await expect.poll(async () => new Set(await states()), { timeout: 60_000 }).toEqual(new Set(['available']));
  // The folder of an upload goes when its job ends, just after that.
  await expect.poll(async () => uploadedFolders(service), { timeout: 20_000 }).toEqual([]);
});
