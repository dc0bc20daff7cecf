import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { RemoteServer } from '../../../src-main/service/contract/servers.ts';
import { candidateAddresses } from '../../../src-main/service/servers/server-address.ts';
import { asWindow, type Answer } from '../as-window.ts';
import { openBeside } from '../fixture-measurement.ts';
import { useTestService } from '../use-service.ts';

const service = useTestService();
let adminToken: string;
const path = '/api/v4/local/servers';
const pin = 'ab'.repeat(32);

beforeAll(async () => {
  const alice = await service.user('alice', true);
  adminToken = await service.token(alice, ['api']);
});
beforeEach(async () => {
  for (const { id } of (await call('GET', path)).body as RemoteServer[]) await service.services.servers.remove(id);
});

const call = async (method: string, url: string, body?: object): Promise<Answer> =>
  asWindow(service, method, url, body);
const add = async (body: object): Promise<RemoteServer> => {
  const { status, body: server } = await call('POST', path, body);
  expect(status).toBe(201);
  return server as RemoteServer;
};
const change = async (id: number, body: object): Promise<RemoteServer> =>
  (await call('PATCH', `${path}/${id}`, body)).body as RemoteServer;
const tokenOf = async (id: number): Promise<string | null | undefined> =>
  (await service.services.servers.source(id))?.token;

test('a server is added, and its token is in no response and is stored sealed', async () => {
  const topics: string[] = [];
  const end = service.services.events.subscribe(
    (name, event) => name === 'changed' && 'topic' in event && topics.push(`${event.topic} ${event.id}`),
  );
  const server = await add({
    base_url: ' HTTPS://Lab.Example:443/prefix/ ',
    token: 'bppat-secret',
    certificate_sha256: pin,
  });
  end();
  expect(topics).toContain(`servers ${server.id}`);
  expect(server).toMatchObject({
    name: 'lab.example',
    base_url: 'https://lab.example/prefix',
    has_token: true,
    certificate_sha256: pin,
    state: 'untested',
    problem: null,
    message: null,
    lists: null,
  });
  expect((await call('GET', `${path}/${server.id}`)).body).toEqual(server);
  expect((await call('GET', path)).body).toEqual([server]);
  expect(JSON.stringify(server)).not.toContain('bppat-secret');
  expect(await service.services.servers.source(server.id)).toEqual({
    baseUrl: 'https://lab.example/prefix',
    token: 'bppat-secret',
    certificate: pin,
  });
  const database = openBeside(service);
  const row = database.prepare<[], { token: Buffer }>('SELECT token FROM remote_servers').get();
  expect(row?.token.includes('secret')).toBe(false);
  // Copied to the row of another server, it cannot be decrypted.
  database.prepare("UPDATE remote_servers SET base_url = 'https://thief.example'").run();
  expect(await tokenOf(server.id)).toBeNull();
  database.prepare("UPDATE remote_servers SET base_url = 'https://lab.example/elsewhere'").run();
  expect(await tokenOf(server.id)).toBe('bppat-secret');
  database.close();
});

test('another origin removes the token and the certificate; another path does not', async () => {
  const { id } = await add({ base_url: 'https://lab.example', token: 'one', certificate_sha256: pin, name: 'Lab' });
  expect(await change(id, { base_url: 'https://lab.example/prefix' })).toMatchObject({
    has_token: true,
    certificate_sha256: pin,
    name: 'Lab',
  });
  expect(await tokenOf(id)).toBe('one');
  expect(await change(id, { base_url: 'https://lab.example:8443' })).toMatchObject({
    has_token: false,
    certificate_sha256: null,
  });
  expect(await change(id, { base_url: 'http://lab.example', token: 'two' })).toMatchObject({ has_token: true });
  expect(await tokenOf(id)).toBe('two');
  expect(await change(id, { token: null })).toMatchObject({ has_token: false });
  expect(await tokenOf(id)).toBeNull();
});

test("the result of a test is dropped when the server's address changes, and kept otherwise", async () => {
  const { id } = await add({ base_url: 'https://lab.example', token: 'one' });
  const { servers } = service.services;
  const fine = { state: 'ok', problem: null, message: null, lists: true, username: 'bob' } as const;
  const source = (await servers.source(id)) ?? { baseUrl: '', token: null, certificate: null };
  expect(await servers.found(id, source, fine)).toMatchObject({ state: 'ok', lists: true, username: 'bob' });
  expect(await change(id, { name: 'Other', speed_limit: 4096, connections: 3 })).toMatchObject({
    state: 'ok',
    lists: true,
    username: 'bob',
    name: 'Other',
    speed_limit: 4096,
    connections: 3,
    checked_at: expect.any(String) as string,
  });
  expect(await change(id, { speed_limit: null, token: 'two' })).toMatchObject({
    state: 'untested',
    lists: null,
    username: null,
    checked_at: null,
    speed_limit: null,
  });
  // A test that ends after the change has no effect.
  expect(await servers.found(id, source, fine)).toMatchObject({ state: 'untested' });
});

test('invalid addresses, and one that exists already', async () => {
  await add({ base_url: 'https://lab.example', name: 'Lab' });
  for (const address of [
    'ftp://lab.example',
    'https://alice:pw@lab.example',
    'https://lab.example/?a=b',
    'https://lab.example/#a',
    'http://',
    'javascript:x',
  ]) {
    expect((await call('POST', path, { base_url: address })).body).toMatchObject({
      status: 422,
      type: 'urn:benchport:problem:address-unusable',
    });
  }
  for (const address of ['http://169.254.169.254', 'https://[::ffff:a9fe:a9fe]:8443/x', '0.0.0.0:7420', '2852039166']) {
    for (const asked of ['', '/certificate'])
      expect((await call('POST', path + asked, { base_url: address })).body, address).toMatchObject({ status: 422 });
  }
  // Two machines on one cable have such addresses.
  await add({ base_url: 'http://169.254.3.4:7420' });
  const taken = {
    status: 409,
    type: 'urn:benchport:problem:server-exists',
    detail: 'https://lab.example is already in the list, as Lab.',
  };
  expect((await call('POST', path, { base_url: 'https://LAB.example/' })).body).toMatchObject(taken);
  const { id } = await add({ base_url: 'https://other.example' });
  expect((await call('PATCH', `${path}/${id}`, { base_url: 'https://lab.example' })).body).toMatchObject(taken);
  expect((await call('POST', path, { base_url: 'https://x.example', token: 'with blank' })).status).toBe(400);
  expect((await call('POST', path, { base_url: 'https://x.example', unknown: 1 })).status).toBe(400);
});

test('a server is removed, but not during a fetch from it', async () => {
  const { id } = await add({ base_url: 'https://lab.example' });
  const database = openBeside(service);
  const insert = database.prepare<[number, string, string]>(
    `INSERT INTO fetches (server_id, base_url, measurement_id, what, target, state, position, created_at) VALUES (?, 'https://lab.example', ?, 'files', '/x', ?, 1, 1)`,
  );
  insert.run(id, 'M-over', 'done');
  insert.run(id + 1, 'M-other', 'paused');
  for (let at = 1; at <= 7; at += 1) insert.run(id, `M${at}`, 'paused');
  expect((await call('DELETE', `${path}/${id}`)).body).toMatchObject({
    status: 409,
    type: 'urn:benchport:problem:server-in-use',
    detail:
      'Fetches from this server have not ended: M1, M2, M3, M4, M5 and 2 more. Cancel them first, or wait for them.',
  });
  database.prepare("UPDATE fetches SET state = 'cancelled'").run();
  database.close();
  expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
  for (const [method, url] of [
    ['GET', ''],
    ['DELETE', ''],
    ['PATCH', ''],
    ['POST', '/test'],
    ['GET', '/measurements'],
    ['GET', '/measurements/M1/files'],
  ] as const) {
    expect(
      (await call(method, `${path}/${id}${url}`, method === 'PATCH' ? {} : undefined)).status,
      `${method} ${url}`,
    ).toBe(404);
  }
});

test('is available in the window only', async () => {
  const { id } = await add({ base_url: 'https://lab.example' });
  for (const url of [
    path,
    `${path}/${id}`,
    `${path}/${id}/measurements`,
    `${path}/${id}/measurements/M1/files`,
    '/api/v4/local/discovered-servers',
  ]) {
    expect((await fetch(service.url + url, { headers: { authorization: `Bearer ${adminToken}` } })).status, url).toBe(
      404,
    );
  }
});

test('U7: an address without a scheme is tried by https, on this machine then by http; elsewhere a token is never sent unencrypted', async () => {
  const here = new URL(service.url);
  expect(await add({ base_url: here.host, token: adminToken, only_if_works: true })).toMatchObject({
    base_url: here.origin,
    state: 'ok',
    username: 'alice',
  });
  expect((await call('POST', path, { base_url: here.host, token: adminToken, only_if_works: true })).status).toBe(409);
  expect(candidateAddresses('192.168.2.2:7420')).toEqual(['https://192.168.2.2:7420']);
  expect(candidateAddresses('bench-3.lab.example/data/')).toEqual(['https://bench-3.lab.example/data']);
  expect(candidateAddresses('http://192.168.2.2:7420')).toEqual(['http://192.168.2.2:7420']);
  expect(() => candidateAddresses('ftp://a.example')).toThrow(/http:\/\/ or https:\/\//);
});

test('U7: a server that does not work is never in the list, even if the request is aborted', async () => {
  const { status, body } = await call('POST', path, { base_url: service.url, token: 'wrong', only_if_works: true });
  expect(status).toBe(422);
  expect(body).toMatchObject({ type: 'urn:benchport:problem:server-does-not-work' });
  expect((await call('GET', path)).body).toEqual([]);
});
