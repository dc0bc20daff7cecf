import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ObjectStorageError } from '../../../src-main/service/object-storage/object-storage.ts';
import { S3Storage } from '../../../src-main/service/object-storage/s3-storage.ts';
import { signRequest } from '../../../src-main/service/object-storage/s3-signing.ts';
import { onStandIn } from './on-stand-in.ts';
import { startStandIn, type Fault, type StandIn } from './stand-in.ts';

const mebibyte = 1024 * 1024;
const timeouts = { connectMs: 500, idleMs: 500 };
const { signal } = new AbortController();
let standIn: StandIn;
let storage: S3Storage;
onStandIn(timeouts, (started) => {
  ({ standIn, storage } = started);
});
beforeEach(() => {
  standIn.aheadMs = 0;
});

async function put(key: string, bytes: Buffer): Promise<void> {
  await storage.put(key, bytes.length, async (part, at) => void bytes.copy(part, 0, at, at + part.length), signal);
}

async function read(key: string, position: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length);
  await storage.read(key, position, into, signal);
  return into;
}

/** The fault for the first requests with a method. */
function first(count: number, method: string, fault: Fault): void {
  let left = count;
  standIn.fault = (asked) => (asked === method && left-- > 0 ? fault : null);
}

describe('an object', () => {
  const bytes = randomBytes(300_000);

  test('is stored, measured, read in ranges, listed and removed', async () => {
    await put('a/one.zip', bytes);
    expect(await storage.lengthOf('a/one.zip', signal)).toBe(bytes.length);
    expect(await storage.lengthOf('a/none.zip', signal)).toBe(null);
    expect((await read('a/one.zip', 1000, 5000)).equals(bytes.subarray(1000, 6000))).toBe(true);
    await put('a/two & three.zip', Buffer.from('x'));
    await put('b/other.zip', Buffer.from('y'));
    standIn.modified = (key) => (key.includes('one') ? '2026-02-03T04:05:06.789Z' : 'some time ago');
    const listed = await storage.list('a/', '', 10, signal);
    expect(listed).toEqual([
      { key: 'a/one.zip', length: bytes.length, modifiedAt: Date.UTC(2026, 1, 3, 4, 5, 6, 789) },
      { key: 'a/two & three.zip', length: 1, modifiedAt: null },
    ]);
    expect(await storage.list('a/', 'a/one.zip', 10, signal)).toHaveLength(1);
    await storage.remove('a/one.zip', signal);
    await storage.remove('a/one.zip', signal);
    expect(await storage.lengthOf('a/one.zip', signal)).toBe(null);
  });

  test('above 16 MiB goes in parts, of which nothing is left once they are ended', async () => {
    const large = randomBytes(40 * mebibyte);
    await put('large.zip', large);
    const back = await read('large.zip', 0, large.length);
    expect(createHash('sha256').update(back).digest('hex')).toBe(createHash('sha256').update(large).digest('hex'));
    expect(standIn.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(3);
    const failing = storage.put(
      'half.zip',
      large.length,
      async (_part, at) => {
        if (at > 0) throw new Error('the disk failed');
      },
      signal,
    );
    await expect(failing).rejects.toThrow('the disk failed');
    expect(await storage.lengthOf('half.zip', signal)).toBe(null);
    expect(standIn.uploads.size).toBe(1);
    await storage.endUploads('half.zip', signal);
    await storage.endUploads('half.zip', signal);
    expect(standIn.uploads.size).toBe(0);
  });
});

describe('a storage that fails', () => {
  const bytes = randomBytes(2 * mebibyte);
  beforeAll(async () => put('there.zip', bytes));

  test.each<Fault>(['truncate', 'reset', 'wrong-range', 'whole', 'chunked', 'silent', 'slow', 503])(
    'by %s twice is asked again',
    async (fault) => {
      first(2, 'GET', fault);
      expect((await read('there.zip', 10, mebibyte)).equals(bytes.subarray(10, mebibyte + 10))).toBe(true);
    },
  );

  test.each<Fault>(['reset', 503])('by %s twice gets an object again', async (fault) => {
    first(2, 'PUT', fault);
    await put('again.zip', bytes);
    expect(standIn.objects.get('/bench/again.zip')?.equals(bytes)).toBe(true);
  });

  test('for good is given up, and says so without the key', async () => {
    standIn.fault = () => 503;
    const failure = await read('there.zip', 0, 10).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ObjectStorageError);
    expect(failure).toMatchObject({ failure: 'unreachable', message: expect.stringContaining('503, SlowDown') });
    expect(JSON.stringify(failure)).not.toContain(standIn.settings.secretAccessKey);
  });

  test('that refuses the key is not asked again', async () => {
    standIn.fault = () => 403;
    await expect(read('there.zip', 0, 10)).rejects.toMatchObject({ failure: 'denied' });
    await expect(put('there.zip', bytes)).rejects.toMatchObject({ failure: 'denied' });
    expect(standIn.requests).toHaveLength(2);
  });

  test('has no such object', async () => {
    await expect(read('none.zip', 0, 10)).rejects.toMatchObject({ failure: 'missing' });
    expect(standIn.requests).toHaveLength(1);
  });

  test.each([-3600_000, 3600_000])('has a clock that is %i ms ahead', async (aheadMs) => {
    standIn.aheadMs = aheadMs;
    expect((await read('there.zip', 0, 10)).equals(bytes.subarray(0, 10))).toBe(true);
    standIn.requests.length = 0;
    await put('later.zip', Buffer.from('x'));
    expect(standIn.requests).toEqual(['PUT /bench/later.zip', 'HEAD /bench/later.zip']);
  });

  test('is no longer waited for when nobody wants the answer', async () => {
    standIn.fault = () => 'silent';
    const stopping = new AbortController();
    const reading = storage.read('there.zip', 0, Buffer.alloc(10), stopping.signal);
    setTimeout(() => stopping.abort(new Error('stopped')), 50);
    await expect(reading).rejects.toThrow('stopped');
  });
});

describe('a storage over TLS', () => {
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=lab', '-days', '2'];
  const both = execFileSync(
    'openssl',
    ['req', '-x509', ...options, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', '-', '-out', '-'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const at = both.indexOf('-----BEGIN CERTIFICATE-----');
  const tls = { key: both.slice(0, at), cert: both.slice(at) };

  test('is trusted by its own authority alone', async () => {
    const secure = await startStandIn('bench', tls);
    const bytes = randomBytes(5 * mebibyte);
    secure.objects.set('/bench/x.zip', bytes);
    const trusting = new S3Storage({ ...secure.settings, ca: tls.cert }, timeouts, timeouts);
    const into = Buffer.alloc(bytes.length);
    await trusting.read('x.zip', 0, into, signal);
    expect(into.equals(bytes)).toBe(true);
    expect(await trusting.lengthOf('x.zip', signal)).toBe(bytes.length);
    trusting.close();
    const other = new S3Storage(secure.settings, timeouts, timeouts);
    await expect(other.read('x.zip', 0, Buffer.alloc(1), signal)).rejects.toMatchObject({ failure: 'denied' });
    await expect(other.lengthOf('x.zip', signal)).rejects.toMatchObject({ failure: 'denied' });
    other.close();
    await secure.close();
  });
});

test('the bucket is a part of the path or of the host', () => {
  const settings = { ...standIn.settings, endpoint: new URL('https://s3.lab.example'), prefix: 'lab/' };
  const wish = { method: 'GET', key: 'a b.zip', query: { uploadId: 'a+b' } } as const;
  const inPath = signRequest(settings, wish, Date.UTC(2026, 10, 26));
  expect([inPath.url.host, inPath.target]).toEqual(['s3.lab.example', '/bench/lab/a%20b.zip?uploadId=a%2Bb']);
  const inHost = signRequest({ ...settings, pathStyle: false }, wish, Date.UTC(2026, 10, 26));
  expect([inHost.url.host, inHost.target]).toEqual(['bench.s3.lab.example', '/lab/a%20b.zip?uploadId=a%2Bb']);
  expect(inHost.headers['X-Amz-Date']).toBe('20261126T000000Z');
});
