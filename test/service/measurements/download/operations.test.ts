import { crc32 } from '@node-rs/crc32';
import { hash } from 'node:crypto';
import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService } from '../../start.ts';
import { base, big, bytesOf, small, startDownloadWorld } from './download-world.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startDownloadWorld);

const sha = (bytes: Buffer) => hash('sha256', bytes);

describe('the manifest', () => {
  test('has the specified fields, the same with and without slash', async () => {
    const response = await world.ask(`${base}/files`);
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
    expect(await (await world.ask(`${base}/files/`)).text()).toBe(text);
    expect((await world.ask(`${base}/files`, { 'if-none-match': response.headers.get('etag') ?? '' })).status).toBe(
      304,
    );
  });

  test('comes packed for those who take gzip, under a tag of its own', async () => {
    const plain = await world.ask('/measurements/many/files');
    const packed = await new Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }>((resolve) =>
      http.get(
        `${world.service.url}/measurements/many/files`,
        { headers: { authorization: `Bearer ${world.token}`, 'accept-encoding': 'br, gzip;q=0.5' } },
        (response) => {
          const chunks: Buffer[] = [];
          response
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
        },
      ),
    );
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers.etag).not.toBe(plain.headers.get('etag'));
    expect(packed.headers.vary).toBe('Authorization, Cookie, Accept, Accept-Encoding');
    expect(gunzipSync(packed.body).equals(await bytesOf(plain))).toBe(true);
    expect(plain.headers.get('content-encoding')).toBeNull();
    const entries = (JSON.parse(gunzipSync(packed.body).toString()) as { files: { index: number }[] }).files;
    expect(entries.map((entry) => entry.index)).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  test('of an empty measurement is an empty list', async () => {
    expect(await (await world.ask('/measurements/nothing/files')).json()).toEqual({
      measurementId: 'nothing',
      files: [],
    });
  });

  test('carries the path prefix of the base URL', async () => {
    const prefixed = await startTestService({ baseUrl: 'http://127.0.0.1:7420/lab/data' });
    try {
      const alice = await prefixed.user('alice');
      const own = await prefixed.token(alice);
      await addMeasurement(prefixed, alice, 'm', [{ path: 'a', bytes: 'a' }]);
      const text = await (
        await fetch(`http://127.0.0.1:${prefixed.port}/measurements/m/files`, {
          headers: { authorization: `Bearer ${own}` },
        })
      ).text();
      expect(text).toContain('"href":"/lab/data/measurements/m/files/0"');
    } finally {
      await prefixed.end();
    }
  });
});

describe('a file', () => {
  test('has the headers that the interface promises', async () => {
    const response = await world.ask(`${base}/files/2`);
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
    const response = await world.ask(`${base}/files/2`, { range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/700000`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect(response.headers.get('etag')).toBe(`"sha256-${sha(big)}"`);
    expect((await bytesOf(response)).equals(big.subarray(start, end))).toBe(true);
  });

  test('several ranges are multipart/byteranges with a boundary that nobody can guess', async () => {
    const answers = await Promise.all([0, 1].map(() => world.ask(`${base}/files/0`, { range: 'bytes=0-1,7-10, -3' })));
    const boundaries = new Set<string>();
    for (const response of answers) {
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBeNull();
      const boundary =
        /^multipart\/byteranges; boundary=([0-9a-f]{36})$/.exec(response.headers.get('content-type') ?? '')?.[1] ?? '';
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
    const response = await world.ask(`${base}/files/2`, { range: 'bytes=400000-699999,0-299999' });
    const body = await bytesOf(response);
    expect(body.length).toBe(Number(response.headers.get('content-length')));
    expect(body.includes(big.subarray(0, 300_000))).toBe(true);
    expect(body.includes(big.subarray(400_000))).toBe(true);
    expect(body.indexOf(big.subarray(400_000))).toBeLessThan(body.indexOf(big.subarray(0, 300_000)));
  });

  test.each(['bytes=18-', 'bytes=-0', 'bytes=99999999999999999999-', 'bytes=18-20,30-40'])(
    '%s is not satisfiable',
    async (range) => {
      const response = await world.ask(`${base}/files/0`, { range });
      expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */18']);
      expect(await response.json()).toMatchObject({
        status: 416,
        detail: 'This range is empty: the length is 18 bytes.',
      });
    },
  );

  test.each([
    'bytes=5-2',
    'bytes=abc',
    'items=0-1',
    'bytes 0-1',
    'bytes=',
    `bytes=${Array.from({ length: 1300 }, (_, i) => `${i * 3}-${i * 3}`).join(',')}`,
  ])('garbage, another unit and too many parts are answered with the whole: %.20s', async (range) => {
    const response = await world.ask(`${base}/files/2`, { range });
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).equals(big)).toBe(true);
  });

  test('without bytes works, and ignores Range', async () => {
    for (const range of ['bytes=0-', 'bytes=-1', 'bytes=5-6']) {
      const response = await world.ask(`${base}/files/1`, { range });
      expect([response.status, response.headers.get('content-length')]).toEqual([200, '0']);
    }
  });

  test('answers conditional requests', async () => {
    const etag = `"sha256-${sha(big)}"`;
    const not = await world.ask(`${base}/files/2`, { 'if-none-match': etag, range: 'bytes=0-1' });
    expect([not.status, not.headers.get('etag'), not.headers.get('content-length')]).toEqual([304, etag, null]);
    expect((await world.ask(`${base}/files/2`, { 'if-match': '"other"' })).status).toBe(412);
    expect((await world.ask(`${base}/files/2`, { 'if-range': etag, range: 'bytes=0-1' })).status).toBe(206);
    expect((await world.ask(`${base}/files/2`, { 'if-range': '"other"', range: 'bytes=0-1' })).status).toBe(200);
    expect(
      (await world.ask(`${base}/files/2`, { 'if-range': 'Tue, 01 Sep 2026 10:20:32 GMT', range: 'bytes=0-1' })).status,
    ).toBe(200);
  });
});

describe('the archive', () => {
  test('has a length, a tag, ranges and a name', async () => {
    const response = await world.ask(base);
    const bytes = await bytesOf(response);
    expect(bytes.length).toBe(world.fixture.archiveBytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(world.fixture.archiveBytes),
      'accept-ranges': 'bytes',
      etag: `"zip1-${world.fixture.tag}"`,
      'content-disposition': `attachment; filename="NGSQ-1.raw_x.zip"; filename*=UTF-8''NGSQ-1.raw_x.zip`,
    });
    expect((await bytesOf(await world.ask(base))).equals(bytes)).toBe(true);
    const multi = await world.ask(base, { range: 'bytes=0-3,-22' });
    expect(multi.status).toBe(206);
    const body = await bytesOf(multi);
    expect(body.includes(Buffer.from('PK\u0003\u0004'))).toBe(true);
    expect(body.includes(bytes.subarray(-22))).toBe(true);
    const end = await world.ask(base, { range: `bytes=${bytes.length}-` });
    expect([end.status, end.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    expect((await world.ask(base, { 'if-range': `"zip1-${world.fixture.tag}"`, range: 'bytes=0-1' })).status).toBe(206);
    expect((await world.ask(base, { 'if-range': '"zip0-old"', range: 'bytes=0-1' })).status).toBe(200);
  });

  test('of an empty measurement is an empty archive', async () => {
    const response = await world.ask('/measurements/nothing');
    expect(response.headers.get('content-length')).toBe('22');
    expect((await bytesOf(response)).toString('hex')).toBe(`504b0506${'00'.repeat(18)}`);
    expect((await bytesOf(await world.ask('/measurements/nothing', { range: 'bytes=-4' }))).length).toBe(4);
  });
});
