import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Fetch } from '../../../../src-main/service/contract/fetches.ts';
import type { FetchReceipt } from '../../../../src-main/service/contract/copies/fetch-receipts.ts';
import { askInTime } from '../../../../src-main/service/receipts/fetched-receipt.ts';
import { readReceiptFile, writeReceiptFile } from '../../../../src-main/service/receipts/receipt-file.ts';
import { receiptKey, signReceipt } from '../../../../src-main/service/receipts/receipt.ts';
import { ReceiptUnavailable, requestReceipt } from '../../../../src-main/service/receipts/request-receipt.ts';
import { signingKey } from '../../../../src-main/service/secrets/signing-key.ts';
import { uploadRequests } from '../../../../src-main/service/upload-client/upload-requests.ts';
import { asWindow, type Answer } from '../../as-window.ts';
import { startAlteringProxy, type AlteringProxy } from '../../copies/altering-proxy.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { until } from '../../until.ts';

let far: TestService;
let here: TestService;
let proxy: AlteringProxy;
let dir: string;
let serverId: number;
let token: string;
const receiptRoute = '/api/v4/measurements/run-1/receipts';

beforeAll(async () => {
  far = await startTestService();
  const alice = await far.user('alice');
  token = await far.token(alice, ['read_measurement']);
  await addMeasurement(far, alice, 'run-1', [
    { path: 'note.txt', bytes: 'a note' },
    { path: 'raw/Größe.bin', bytes: 'bytes' },
  ]);
  proxy = await startAlteringProxy(far.url);
});
afterAll(async () => {
  await proxy.end();
  await far.end();
});
beforeEach(async () => {
  here = await startTestService();
  await here.user('bob', true);
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-fetch-receipts-'));
  proxy.alter = () => null;
  const server = await here.services.servers.create({ name: 'Lab', base_url: proxy.url, certificate: null, token });
  serverId = server?.id ?? 0;
  here.services.events.emit('changed', { topic: 'servers' });
});
afterEach(async () => {
  await here.end();
  await rm(dir, { recursive: true, force: true });
});

const route = (id: number) => `/api/v4/local/fetches/${id}/receipt`;
const ask = async (id: number): Promise<Answer> => asWindow(here, 'POST', route(id), {});
const kept = async (id: number) => (await asWindow(here, 'GET', route(id))).body as FetchReceipt;
const file = () => path.join(dir, 'run-1.receipt.json');

async function fetched(body: object = {}): Promise<Fetch> {
  const wanted = { server_id: serverId, measurement_id: 'run-1', what: 'files', target: dir, ...body };
  const added = await asWindow(here, 'POST', '/api/v4/local/fetches', wanted);
  expect(added.status, JSON.stringify(added.body)).toBe(202);
  const { id } = added.body as Fetch;
  const one = async () => (await asWindow(here, 'GET', `/api/v4/local/fetches/${id}`)).body as Fetch;
  await until(async () => (await one()).state === 'done', 'the fetch is done');
  return one();
}

test('what was fetched has a receipt of its server beside the folder, for a token that may only read', async () => {
  const { id } = await fetched();
  expect(await kept(id)).toEqual({ available: true, file: file(), kept: null, problem: null });
  const answers = await Promise.all(Array.from({ length: 5 }, async () => ask(id)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await kept(id)).toMatchObject({ kept: { issued_by: far.url, issued_to: 'alice' }, problem: null });
  const inFile = await readReceiptFile(file());
  expect(inFile?.claims.measurement).toMatchObject({ id: 'run-1', files: 2, bytes: 11 });
  expect((await readdir(dir)).toSorted()).toEqual(['run-1', 'run-1.receipt.json']);
  const audited = openBeside(far)
    .prepare(`SELECT subject, detail FROM audit_events WHERE action = 'measurement.receipt'`)
    .all();
  expect(audited).toEqual([{ subject: 'measurement:run-1', detail: expect.stringContaining('alice, signed with') }]);
  // Once the fetch has left the list, the receipt stays.
  await asWindow(here, 'POST', '/api/v4/local/fetches/actions', { action: 'remove', ids: [id] });
  expect(await readReceiptFile(file())).not.toBeNull();
  expect((await ask(id)).status).toBe(404);
});

test('a fetch as one ZIP has one too, and a part of a measurement has none', async () => {
  const zip = await fetched({ what: 'archive' });
  expect(await ask(zip.id)).toMatchObject({ status: 200, body: { kept: { issued_to: 'alice' } } });
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir);
  await asWindow(here, 'POST', '/api/v4/local/fetches/actions', { action: 'remove', ids: [zip.id] });
  const part = await fetched({ indices: [0] });
  expect((await kept(part.id)).available).toBe(false);
  expect(await ask(part.id)).toMatchObject({ status: 409, body: { type: expect.stringContaining('not-whole') } });
});

test('a server without the route, or one that lies, is told plainly, and what was fetched stays complete', async () => {
  const { id } = await fetched();
  const refused = async (alter: AlteringProxy['alter'], said: string) => {
    proxy.alter = alter;
    const { status, body } = await ask(id);
    expect({ status, body }, said).toMatchObject({ status: 502, body: { detail: expect.stringContaining(said) } });
    expect((body as { detail: string }).detail).toContain('complete all the same');
    expect(await readdir(dir)).toEqual(['run-1']);
  };
  const on = (wanted: string, answer: Awaited<ReturnType<AlteringProxy['alter']>>) => (request: { path: string }) =>
    request.path === wanted ? answer : null;
  for (const status of [404, 405, 501])
    await refused(on(receiptRoute, { status, body: {} }), 'has the files, but gives no receipts');
  await refused(on(receiptRoute, { status: 500, body: {} }), 'answered with the status 500');
  await refused(on(receiptRoute, 'cut'), 'connection');
  await refused(on(receiptRoute, { change: ({ receipt }) => ({ receipt: `${String(receipt)}A` }) }), 'is refused');
  await refused(on(receiptRoute, { status: 200, body: [] }), 'is refused');
  await refused(on('/api/v4/receipts/keys', { status: 404, body: {} }), 'does not publish the keys');
  await refused(on('/api/v4/receipts/keys', { status: 200, body: { keys: [] } }), 'not among the published ones');
  const times = ({ files, ...rest }: Record<string, unknown>) => ({
    ...rest,
    files: (files as object[]).map((one) => ({ ...one, registrationTime: undefined })),
  });
  await refused(on('/measurements/run-1/files', { change: times }), 'its manifest lacks');
  const later = ({ files, ...rest }: Record<string, unknown>) => ({
    ...rest,
    files: (files as object[]).map((one) => ({ ...one, registrationTime: '2031-01-01T00:00:00.000Z' })),
  });
  await refused(on('/measurements/run-1/files', { change: later }), 'about other files');
  const fewer = ({ files, ...rest }: Record<string, unknown>) => ({ ...rest, files: (files as object[]).slice(1) });
  await refused(on('/measurements/run-1/files', { change: fewer }), 'lists other files now');
  proxy.alter = () => null;
  expect((await ask(id)).status).toBe(200);
});

test('a receipt signed by the server about something else is refused', async () => {
  const { id } = await fetched();
  const { settings, secrets } = far.services;
  const key = await signingKey({ settings, secrets, log: { warn: () => undefined } }, receiptKey)();
  const measurement = { id: 'run-1', manifest_sha256: 'b'.repeat(64), files: 2, bytes: 11 };
  const receipt = await signReceipt(key, { iss: far.url, sub: 'alice', iat: 1, jti: 'x', measurement });
  proxy.alter = ({ path: asked }) => (asked === receiptRoute ? { status: 200, body: { receipt } } : null);
  expect(await ask(id)).toMatchObject({ status: 502, body: { detail: expect.stringContaining('about other files') } });
});

test('keys that are others than before are refused, and the receipt that was kept stays', async () => {
  const { id } = await fetched();
  expect((await ask(id)).status).toBe(200);
  const before = await readFile(file(), 'utf8');
  const stranger = await startTestService();
  try {
    const alice = await stranger.user('alice');
    await addMeasurement(stranger, alice, 'run-1', [{ path: 'x', bytes: 'x' }]);
    const keys = await (await fetch(`${stranger.url}/api/v4/receipts/keys`)).json();
    proxy.alter = ({ path: asked }) => (asked === '/api/v4/receipts/keys' ? { status: 200, body: keys } : null);
    expect(await ask(id)).toMatchObject({ status: 502, body: { detail: expect.stringContaining('other keys') } });
    expect(await readFile(file(), 'utf8')).toBe(before);
  } finally {
    await stranger.end();
  }
});

test('nothing else that has the name of the receipt is overwritten', async () => {
  const { id } = await fetched();
  await writeFile(file(), 'mine');
  expect(await kept(id)).toMatchObject({ kept: null, problem: expect.stringContaining('is not a receipt') });
  expect((await ask(id)).status).toBe(409);
  expect(await readFile(file(), 'utf8')).toBe('mine');
  await rm(file());
  await symlink('/dev/zero', file());
  expect((await ask(id)).status).toBe(409);
  await rm(file());
  expect((await ask(id)).status).toBe(200);
  // The receipt of other files under this name.
  const other = JSON.parse(await readFile(file(), 'utf8')) as { issuer: string };
  const key = await signingKey({ ...far.services, log: { warn: () => undefined } }, receiptKey)();
  const measurement = { id: 'run-1', manifest_sha256: 'b'.repeat(64), files: 3, bytes: 11 };
  const receipt = await signReceipt(key, { iss: far.url, sub: 'alice', iat: 1, jti: 'x', measurement });
  await writeReceiptFile(file(), { receipt, issuer: other.issuer, keys: [{ ...key.publicJwk }] });
  expect(await kept(id)).toMatchObject({ kept: null, problem: expect.stringContaining('other files') });
  expect((await ask(id)).status).toBe(409);
});

test('a server that was removed from the list is not asked', async () => {
  const { id } = await fetched();
  await here.services.servers.remove(serverId);
  expect(await ask(id)).toMatchObject({ status: 409, body: { type: expect.stringContaining('server-removed') } });
});

test('a server that hangs is not waited for', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const expected = { id: 'run-1', manifestSha256: null, files: null, bytes: null };
  const asked = { send: uploadRequests(token, null), baseUrl, signal: new AbortController().signal };
  const late = askInTime(asked, async (inTime) => requestReceipt(inTime, expected, { keys: [] }), 200);
  await expect(late).rejects.toThrow(ReceiptUnavailable);
  await expect(late).rejects.toThrow('did not answer');
  server.close();
});
