import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type {
  RemoteFilePage,
  RemoteMeasurementPage,
  RemoteServer,
} from '../../../src-main/service/contract/servers.ts';
import type { ServerAccess } from '../../../src-main/service/http-client/http-client.ts';
import { remoteFiles, type RemoteFiles } from '../../../src-main/service/servers/remote-files.ts';
import { asWindow, type Answer } from '../as-window.ts';
import { addMeasurement, openBeside } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';

/** A service, and another Benchport with measurements of bob. */
let here: TestService;
let there: TestService;
let server: RemoteServer;
/** A server with scripted responses that records its requests. */
let scripted: http.Server;
let source: ServerAccess;
let answer: http.RequestListener;
let asked: string[] = [];
let files: RemoteFiles | undefined;

beforeAll(async () => {
  [here, there] = await Promise.all([startTestService(), startTestService()]);
  await here.user('alice', true);
  const bob = await there.user('bob');
  await addMeasurement(there, bob, 'M0', [{ path: 'one.txt', bytes: 'one' }]);
  manyLike('M0', 49);
  await addMeasurement(there, bob, 'Deep', [
    { path: 'raw/RUN-1.bin', bytes: 'x'.repeat(100) },
    { path: 'raw/con.txt', bytes: 'device' },
    { path: 'Übersicht.md', bytes: '' },
  ]);
  const added = await asWindow(here, 'POST', '/api/v4/local/servers', {
    base_url: there.url,
    token: await there.token(bob, ['read_api']),
  });
  server = added.body as RemoteServer;
  scripted = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => scripted.listen(0, '127.0.0.1', resolve));
  source = {
    baseUrl: `http://127.0.0.1:${(scripted.address() as AddressInfo).port}`,
    token: 'a-token',
    certificate: null,
  };
});
afterAll(async () => {
  scripted.close();
  await Promise.all([here.end(), there.end()]);
});
afterEach(async () => {
  asked = [];
  await files?.close();
  files = undefined;
});

/** Rows only, because their files are never read. */
function manyLike(id: string, count: number): void {
  const database = openBeside(there);
  const names = database
    .prepare<[], string>("SELECT name FROM pragma_table_info('measurements') WHERE name NOT IN ('id', 'number')")
    .pluck()
    .all()
    .join();
  database
    .prepare<[number, string]>(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO measurements (id, ${names}) SELECT 'N' || i, ${names} FROM measurements, n WHERE id = ?`,
    )
    .run(count, id);
  database.close();
}

const look = async (url: string, id = server.id): Promise<Answer> =>
  asWindow(here, 'GET', `/api/v4/local/servers/${id}/measurements${url}`);

test('the list of another Benchport, paged and searched', async () => {
  const first = (await look('')).body as RemoteMeasurementPage;
  expect(first).toMatchObject({ total: 51, per_page: 50 });
  expect(first.items).toHaveLength(50);
  expect(first.items[0]).toMatchObject({
    id: expect.any(String) as string,
    state: 'available',
    file_count: expect.any(Number) as number,
  });
  const second = (await look('?page=2')).body as RemoteMeasurementPage;
  expect(second.items).toHaveLength(1);
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(51);
  expect((await look('?search=deep')).body).toMatchObject({
    total: 1,
    items: [{ id: 'Deep', file_count: 3, total_bytes: 106 }],
  });
  expect((await look('?search=nothing')).body).toEqual({ items: [], total: 0, more: false, per_page: 50 });
});

test('U12: the other Benchport sorts its list, over all its pages', async () => {
  const ids = async (query: string): Promise<string[]> =>
    ((await look(`?${query}`)).body as RemoteMeasurementPage).items.map(({ id }) => id);
  const up = [...(await ids('sort=id&order=asc')), ...(await ids('sort=id&order=asc&page=2'))];
  const down = [...(await ids('sort=id&order=desc')), ...(await ids('sort=id&order=desc&page=2'))];
  expect(up).toHaveLength(51);
  expect(down).toEqual(up.toReversed());
  expect((await ids('sort=total_bytes&order=desc'))[0]).not.toBe((await ids('sort=total_bytes&order=asc'))[0]);
});

test('the files of a remote measurement, paged and searched, with those that cannot be fetched', async () => {
  const page = (await look('/Deep/files')).body as RemoteFilePage;
  expect(page).toMatchObject({ total: 3, file_count: 3, total_bytes: 106 });
  expect(page.items).toEqual([
    { index: 0, path: 'raw/RUN-1.bin', length: 100, refusal: null },
    { index: 1, path: 'raw/con.txt', length: 6, refusal: 'Windows reserves the name con for a device' },
    { index: 2, path: 'Übersicht.md', length: 0, refusal: null },
  ]);
  expect((await look('/Deep/files?search=run')).body).toMatchObject({ total: 1, file_count: 3, items: [{ index: 0 }] });
  expect((await look(`/Deep/files?search=${encodeURIComponent('ÜBERSICHT')}`)).body).toMatchObject({
    total: 1,
    items: [{ index: 2 }],
  });
  expect((await look('/Deep/files?offset=2&limit=1')).body).toMatchObject({ total: 3, items: [{ index: 2 }] });
  expect((await look('/nowhere/files')).body).toMatchObject({
    status: 502,
    type: 'urn:benchport:problem:remote-not-found',
  });
});

test('failures of the remote server are reported as what they are', async () => {
  const added = await asWindow(here, 'POST', '/api/v4/local/servers', { base_url: source.baseUrl, token: 'a-token' });
  const { id } = added.body as RemoteServer;
  const trouble = async (listener: http.RequestListener, url = ''): Promise<unknown> => {
    answer = listener;
    const { status, body } = await look(url, id);
    expect(status).toBe(502);
    return (body as { type: string }).type.replace('urn:benchport:problem:', '');
  };
  const status =
    (code: number): http.RequestListener =>
    (_request, response) =>
      void response.writeHead(code).end();
  const text =
    (body: string): http.RequestListener =>
    (_request, response) =>
      void response.end(body);
  expect(await trouble(status(401))).toBe('remote-token-refused');
  expect(await trouble(status(500))).toBe('remote-server-failed');
  expect(await trouble(status(421))).toBe('remote-wrong-host');
  expect(await trouble(text('{"a":1}'))).toBe('remote-not-a-measurement-server');
  expect(await trouble(text('['.repeat(5_000_000)))).toBe('remote-not-a-measurement-server');
  expect(await trouble(text('[{"id":"M1","title":5}]'))).toBe('remote-not-a-measurement-server');
  expect(await trouble(status(403), '/M1/files')).toBe('remote-no-access');
  expect(await trouble(text('<html>'), '/M1/files')).toBe('remote-bad-manifest');
  expect(await trouble((_request, response) => void response.socket?.destroy(), '/M1/files')).toBe(
    'remote-unreachable',
  );
  // Remote texts are displayed and remote ids used in URLs, so only valid ones are accepted.
  const item = {
    id: 'M1',
    title: 'a\u202eb',
    state: 'available',
    file_count: 1,
    total_bytes: 2,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  answer = text(JSON.stringify([item, { ...item, id: '../admin' }, { ...item, id: '..' }]));
  expect((await look('', id)).body).toEqual({
    items: [{ ...item, title: 'a\\u202eb' }],
    total: 1,
    more: false,
    per_page: 50,
  });
  // A server known to have no list gets no request.
  await here.services.servers.found(id, source, {
    state: 'ok',
    problem: null,
    message: null,
    lists: false,
    username: null,
  });
  asked = [];
  expect((await look('', id)).body).toMatchObject({ status: 409, type: 'urn:benchport:problem:cannot-list' });
  expect(asked).toEqual([]);
});

const manifest = (id: string, count: number): string =>
  JSON.stringify({
    measurementId: id,
    files: Array.from({ length: count }, (_, index) => ({ index, path: `d/f${index}`, length: 1, crc32: 1 })),
  });

test('a manifest is read once for many pages, two are cached, and a failure is not', async () => {
  const opened = remoteFiles();
  files = opened;
  const ask = async (measurementId: string, offset = 0): Promise<RemoteFilePage> =>
    opened.page({ source, measurementId, search: '', offset, limit: 100 });
  answer = (request, response) => void response.end(manifest(request.url?.split('/')[2] ?? '', 5000));
  const pages = await Promise.all([ask('A'), ask('A', 4900), ask('A', 9000)]);
  expect(pages.map(({ items, total }) => [items.length, items[0]?.index, total])).toEqual([
    [100, 0, 5000],
    [100, 4900, 5000],
    [0, undefined, 5000],
  ]);
  await ask('B');
  await ask('A');
  expect(asked).toEqual(['/measurements/A/files', '/measurements/B/files']);
  await ask('C');
  await ask('A');
  await ask('B');
  expect(asked.slice(2)).toEqual(['/measurements/C/files', '/measurements/B/files']);
  answer = (_request, response) => void response.writeHead(500, { 'content-length': 0 }).end();
  await expect(ask('D')).rejects.toMatchObject({ status: 502, type: 'remote-server-failed' });
  answer = (_request, response) => void response.end(manifest('D', 1));
  expect((await ask('D')).total).toBe(1);
  // Another token means another user.
  const other = await opened.page({
    source: { ...source, token: 'other' },
    measurementId: 'D',
    search: '',
    offset: 0,
    limit: 1,
  });
  expect(other.total).toBe(1);
  expect(asked.slice(4)).toEqual(['/measurements/D/files', '/measurements/D/files', '/measurements/D/files']);
});

test('the thread ends after a while without requests, and starts again', async () => {
  const opened = remoteFiles(1);
  files = opened;
  answer = (_request, response) => void response.end(manifest('A', 1));
  const query = { source, measurementId: 'A', search: '', offset: 0, limit: 1 };
  await opened.page(query);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await opened.page(query);
  // Its cache is gone too.
  expect(asked).toHaveLength(2);
  answer = () => {};
  const waiting = opened.page({ ...query, measurementId: 'B' });
  const refused = expect(waiting).rejects.toMatchObject({ status: 503 });
  await opened.close();
  await refused;
});
