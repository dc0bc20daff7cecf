import { crc32 } from '@node-rs/crc32';
import { hash } from 'node:crypto';
import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMeasurement, type Fixture } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { RawClient } from './raw-client.ts';

const small = Buffer.from('hello, measurement');
const big = Buffer.from(Array.from({ length: 700_000 }, (_, i) => (i * 7 + (i >> 8)) & 0xff));
let service: TestService;
let fixture: Fixture;
let token: string;
let stranger: string;

beforeAll(async () => {
  service = await startTestService();
  const alice = await service.user('alice');
  token = await service.token(alice, ['read_measurement']);
  stranger = await service.token(await service.user('bob'));
  fixture = await addMeasurement(service, alice, 'NGSQ-1.raw_x', [
    { path: 'a.txt', bytes: small },
    { path: 'empty', bytes: '' },
    { path: 'sub/größe.bin', bytes: big },
  ]);
  await addMeasurement(service, alice, 'nothing', []);
  await addMeasurement(
    service,
    alice,
    'many',
    Array.from({ length: 300 }, (_, i) => ({ path: `f${String(i).padStart(3, '0')}`, rowOnly: true })),
  );
});
afterAll(() => service.end());

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(service.url + path, { method, headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity', ...headers } });
}

const base = '/measurements/NGSQ-1.raw_x';
const sha = (bytes: Buffer) => hash('sha256', bytes);
async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe('checks come in their order', () => {
  test.each([
    ['no credential', '/measurements/none/files/x', {}, 401, 'about:blank'],
    ['an unknown token', base, { authorization: `Bearer bppat-${'0'.repeat(38)}` }, 401, 'about:blank'],
    ['a token that is none', base, { authorization: 'Bearer not a token' }, 401, 'about:blank'],
    ['another scheme', base, { authorization: 'Basic YTpi' }, 401, 'about:blank'],
  ])('%s: %s', async (_what, path, headers, status, type) => {
    const response = await fetch(service.url + path, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="Benchport"/);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status, type, request_id: response.headers.get('x-request-id') });
  });

  test('scope before existence, existence before access, access before index, index before range', async () => {
    const narrow = await service.token(1, ['read_user']);
    const as = (value: string, path: string, range?: string) =>
      fetch(service.url + path, { headers: { authorization: `Bearer ${value}`, ...(range === undefined ? {} : { range }) } }).then(
        (response) => response.status,
      );
    expect(await as(narrow, '/measurements/none')).toBe(403);
    expect(await as(stranger, '/measurements/none/files/0')).toBe(404);
    expect(await as(stranger, `${base}/files/99`)).toBe(403);
    expect(await as(token, `${base}/files/99`, 'bytes=999-')).toBe(404);
    expect(await as(token, `${base}/files/0`, 'bytes=999-')).toBe(416);
  });

  test('an expired, a revoked and a doubled token are refused', async () => {
    const expired = await service.token(1, ['api'], Date.now() - 1);
    expect((await ask(base, { authorization: `Bearer ${expired}` })).status).toBe(401);
    const revoked = await service.token(1);
    const row = (await service.services.tokens.ofUser(1))[0];
    await service.services.tokens.revoke(row?.id ?? 0);
    service.services.changes.bump();
    expect((await ask(base, { authorization: `Bearer ${revoked}` })).status).toBe(401);
    expect((await ask(base, { 'private-token': token })).status).toBe(400);
    const client = await RawClient.open(service.url);
    client.get(base, `Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`, 'Connection: close');
    await client.drain();
    expect(client.status).toBe(400);
  });

  test('the token also comes as PRIVATE-TOKEN, and never in the query', async () => {
    expect((await fetch(`${service.url}${base}/files`, { headers: { 'private-token': token } })).status).toBe(200);
    expect((await fetch(`${service.url}${base}/files?access_token=${token}`)).status).toBe(401);
  });

  test('a foreign Host is refused with 421 before anything else', async () => {
    const client = await RawClient.open(service.url);
    client.socket.write(`GET ${base} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`);
    await client.drain();
    expect(client.status).toBe(421);
  });
});

describe('ids and indices that are none are 404', () => {
  test.each([
    '..',
    '.',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f',
    'a%00b',
    '%00',
    '-a',
    '_a',
    'a%2fb',
    'a%5cb',
    'a b',
    'a%0ab',
    'a;b',
    'ä',
    'a'.repeat(129),
    'a'.repeat(1000),
  ])('measurement %j', async (id) => {
    const client = await RawClient.open(service.url);
    client.get(`/measurements/${encodeURI(id).replaceAll('%25', '%')}/files`, `Authorization: Bearer ${token}`, 'Connection: close');
    await client.drain();
    expect(client.status).toBe(404);
  });
  test.each(['-1', '00', '01', '1e3', '+1', '1.0', '0x0', '2147483648', '9'.repeat(400), '3', '%00', '0%00', ' 0', '%200', '..%2f0', 'a', '0;', '٠'])(
    'index %j',
    async (index) => {
      const response = await ask(`${base}/files/${index}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    },
  );
  test('a URL that cannot be decoded and one that is too long get an answer, and the service goes on', async () => {
    expect((await ask('/measurements/%ff')).status).toBe(400);
    expect((await ask(`/measurements/${'a'.repeat(2000)}`)).status).toBe(414);
    const long = await RawClient.open(service.url);
    await long.get(`/measurements/${'a'.repeat(20_000)}`).drain();
    expect(long.status).toBe(431);
    const header = await RawClient.open(service.url);
    await header.get(base, `Authorization: Bearer ${'a'.repeat(20_000)}`).drain();
    expect(header.status).toBe(431);
    expect((await ask(`${base}/files/0`)).status).toBe(200);
  });
});

describe('methods', () => {
  test.each([base, `${base}/files`, `${base}/files/`, `${base}/files/0`])('%s', async (path) => {
    const options = await fetch(service.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await ask(path, {}, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    const get = await ask(path);
    const body = await bytesOf(get);
    const head = await ask(path, { range: 'bytes=1-2' }, 'HEAD');
    expect(head.status).toBe(200);
    expect((await bytesOf(head)).length).toBe(0);
    const without = (response: Response) =>
      Object.fromEntries([...response.headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)));
    expect(without(head)).toEqual(without(get));
    expect(get.headers.get('content-length')).toBe(String(body.length));
  });
});

describe('the manifest', () => {
  test('has the specified fields, the same with and without slash', async () => {
    const response = await ask(`${base}/files`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      measurementId: 'NGSQ-1.raw_x',
      files: [
        ['a.txt', 'a.txt', small, 'text/plain; charset=utf-8'],
        ['empty', 'empty', Buffer.alloc(0), 'application/octet-stream'],
        ['sub/größe.bin', 'größe.bin', big, 'application/octet-stream'],
      ].map(([path, fileName, bytes, mediaType], index) => ({
        index,
        path,
        fileName,
        length: (bytes as Buffer).length,
        crc32: crc32(bytes as Buffer),
        registrationTime: '2026-09-01T10:20:31.123Z',
        sha256: sha(bytes as Buffer),
        mediaType,
        _links: { download: { href: `${base}/files/${index}` } },
      })),
    });
    expect(await (await ask(`${base}/files/`)).text()).toBe(text);
    expect((await ask(`${base}/files`, { 'if-none-match': response.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test('comes packed for those who take gzip, under a tag of its own', async () => {
    const plain = await ask('/measurements/many/files');
    const packed = await new Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }>((resolve) =>
      http.get(`${service.url}/measurements/many/files`, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'br, gzip;q=0.5' } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      }),
    );
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers.etag).not.toBe(plain.headers.get('etag'));
    expect(packed.headers.vary).toBe('Authorization, Accept-Encoding');
    expect(gunzipSync(packed.body).equals(await bytesOf(plain))).toBe(true);
    expect(plain.headers.get('content-encoding')).toBeNull();
    const entries = (JSON.parse(gunzipSync(packed.body).toString()) as { files: { index: number }[] }).files;
    expect(entries.map((entry) => entry.index)).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  test('of an empty measurement is an empty list', async () => {
    expect(await (await ask('/measurements/nothing/files')).json()).toEqual({ measurementId: 'nothing', files: [] });
  });

  test('carries the path prefix of the base URL', async () => {
    const prefixed = await startTestService({ baseUrl: 'http://127.0.0.1:7420/lab/data' });
    try {
      const alice = await prefixed.user('alice');
      const own = await prefixed.token(alice);
      await addMeasurement(prefixed, alice, 'm', [{ path: 'a', bytes: 'a' }]);
      const text = await (await fetch(`http://127.0.0.1:${prefixed.port}/measurements/m/files`, { headers: { authorization: `Bearer ${own}` } })).text();
      expect(text).toContain('"href":"/lab/data/measurements/m/files/0"');
    } finally {
      await prefixed.end();
    }
  });
});

describe('a file', () => {
  test('has the headers of interfaces.md', async () => {
    const response = await ask(`${base}/files/2`);
    expect((await bytesOf(response)).equals(big)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': `attachment; filename="gro_e.bin"; filename*=UTF-8''gr%C3%B6%C3%9Fe.bin`,
      'content-length': '700000',
      'content-type': 'application/octet-stream',
      digest: `SHA-256=${hash('sha256', big, 'base64')}`,
      etag: `"sha256-${sha(big)}"`,
      'last-modified': 'Tue, 01 Sep 2026 10:20:31 GMT',
      'repr-digest': `sha-256=:${hash('sha256', big, 'base64')}:`,
      vary: 'Authorization',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-', 0, 700_000],
    ['bytes=699999-', 699_999, 700_000],
    ['bytes=-5', 699_995, 700_000],
    ['bytes=100-300099', 100, 300_100],
    ['bytes=0-65535', 0, 65_536],
    ['bytes=0-65536', 0, 65_537],
    ['bytes=0-262143', 0, 262_144],
    ['bytes=1-262145', 1, 262_146],
    ['bytes=10-20,15-40', 10, 41],
    ['bytes=500000-9999999', 500_000, 700_000],
  ])('%s is one part', async (range, start, end) => {
    const response = await ask(`${base}/files/2`, { range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/700000`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect(response.headers.get('etag')).toBe(`"sha256-${sha(big)}"`);
    expect((await bytesOf(response)).equals(big.subarray(start, end))).toBe(true);
  });

  test('several ranges are multipart/byteranges with a boundary that nobody can guess', async () => {
    const answers = await Promise.all([0, 1].map(() => ask(`${base}/files/0`, { range: 'bytes=0-1,7-10, -3' })));
    const boundaries = new Set<string>();
    for (const response of answers) {
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBeNull();
      const boundary = /^multipart\/byteranges; boundary=([0-9a-f]{36})$/.exec(response.headers.get('content-type') ?? '')?.[1] ?? '';
      boundaries.add(boundary);
      const part = (range: string, text: string) =>
        `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes ${range}/18\r\n\r\n${text}\r\n`;
      const body = await response.text();
      expect(body).toBe(`${part('0-1', 'he')}${part('7-10', 'meas')}${part('15-17', 'ent')}--${boundary}--\r\n`);
      expect(response.headers.get('content-length')).toBe(String(body.length));
    }
    expect(boundaries.size).toBe(2);
  });

  test('parts larger than the buffers come whole', async () => {
    const response = await ask(`${base}/files/2`, { range: 'bytes=400000-699999,0-299999' });
    const body = await bytesOf(response);
    expect(body.length).toBe(Number(response.headers.get('content-length')));
    expect(body.includes(big.subarray(0, 300_000))).toBe(true);
    expect(body.includes(big.subarray(400_000))).toBe(true);
    expect(body.indexOf(big.subarray(400_000))).toBeLessThan(body.indexOf(big.subarray(0, 300_000)));
  });

  test.each(['bytes=18-', 'bytes=-0', 'bytes=99999999999999999999-', 'bytes=18-20,30-40'])('%s is not satisfiable', async (range) => {
    const response = await ask(`${base}/files/0`, { range });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */18']);
  });

  test.each(['bytes=5-2', 'bytes=abc', 'items=0-1', 'bytes 0-1', 'bytes=', `bytes=${Array.from({ length: 1300 }, (_, i) => `${i * 3}-${i * 3}`).join(',')}`])(
    'garbage, another unit and too many parts are answered with the whole: %.20s',
    async (range) => {
      const response = await ask(`${base}/files/2`, { range });
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).equals(big)).toBe(true);
    },
  );

  test('without bytes works, and ignores Range', async () => {
    for (const range of ['bytes=0-', 'bytes=-1', 'bytes=5-6']) {
      const response = await ask(`${base}/files/1`, { range });
      expect([response.status, response.headers.get('content-length')]).toEqual([200, '0']);
    }
  });

  test('answers conditional requests', async () => {
    const etag = `"sha256-${sha(big)}"`;
    const not = await ask(`${base}/files/2`, { 'if-none-match': etag, range: 'bytes=0-1' });
    expect([not.status, not.headers.get('etag'), not.headers.get('content-length')]).toEqual([304, etag, null]);
    expect((await ask(`${base}/files/2`, { 'if-match': '"other"' })).status).toBe(412);
    expect((await ask(`${base}/files/2`, { 'if-range': etag, range: 'bytes=0-1' })).status).toBe(206);
    expect((await ask(`${base}/files/2`, { 'if-range': '"other"', range: 'bytes=0-1' })).status).toBe(200);
    expect((await ask(`${base}/files/2`, { 'if-range': 'Tue, 01 Sep 2026 10:20:32 GMT', range: 'bytes=0-1' })).status).toBe(200);
  });
});

describe('the archive', () => {
  test('has a length, a tag, ranges and a name', async () => {
    const response = await ask(base);
    const bytes = await bytesOf(response);
    expect(bytes.length).toBe(fixture.archiveBytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(fixture.archiveBytes),
      'accept-ranges': 'bytes',
      etag: `"zip1-${fixture.tag}"`,
      'content-disposition': `attachment; filename="NGSQ-1.raw_x.zip"; filename*=UTF-8''NGSQ-1.raw_x.zip`,
    });
    expect((await bytesOf(await ask(base))).equals(bytes)).toBe(true);
    const multi = await ask(base, { range: 'bytes=0-3,-22' });
    expect(multi.status).toBe(206);
    const body = await bytesOf(multi);
    expect(body.includes(Buffer.from('PK\u0003\u0004'))).toBe(true);
    expect(body.includes(bytes.subarray(-22))).toBe(true);
    const end = await ask(base, { range: `bytes=${bytes.length}-` });
    expect([end.status, end.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    expect((await ask(base, { 'if-range': `"zip1-${fixture.tag}"`, range: 'bytes=0-1' })).status).toBe(206);
    expect((await ask(base, { 'if-range': '"zip0-old"', range: 'bytes=0-1' })).status).toBe(200);
  });

  test('of an empty measurement is an empty archive', async () => {
    const response = await ask('/measurements/nothing');
    expect(response.headers.get('content-length')).toBe('22');
    expect((await bytesOf(response)).toString('hex')).toBe(`504b0506${'00'.repeat(18)}`);
    expect((await bytesOf(await ask('/measurements/nothing', { range: 'bytes=-4' }))).length).toBe(4);
  });
});

describe('one connection', () => {
  test('serves several requests sent at once, in order', async () => {
    const client = await RawClient.open(service.url);
    const credential = `Authorization: Bearer ${token}`;
    client
      .get(`${base}/files/0`, credential, 'Range: bytes=0-4')
      .get(`${base}/files/9`, credential)
      .get(`${base}/files/2`, credential, 'Range: bytes=0-9')
      .get(`${base}/files/0`, credential, 'Connection: close');
    await client.drain();
    expect([...client.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])).toEqual(['206', '404', '206', '200']);
    expect(client.text.endsWith(small.toString())).toBe(true);
  });
});
