import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { S3Storage } from '../../../src-main/service/object-storage/s3-storage.ts';
import { onStandIn } from './on-stand-in.ts';
import type { Fault, StandIn } from './stand-in.ts';

const mebibyte = 1024 * 1024;
const partBytes = 16 * mebibyte;
const timeouts = { connectMs: 5000, idleMs: 30_000 };
const { signal } = new AbortController();
// Four parts, the last of them short.
const bytes = randomBytes(3 * partBytes + 12_345);
const key = 'measurements/ab/run.zip';
const path = `/bench/${key}`;
let standIn: StandIn;
let storage: S3Storage;
onStandIn(timeouts, (started) => {
  ({ standIn, storage } = started);
});
beforeEach(() => {
  standIn.listed = (part) => part;
  standIn.partsPerList = 1000;
  standIn.uploads.clear();
  standIn.objects.clear();
});

async function put(content = bytes): Promise<void> {
  await storage.put(key, content.length, async (part, at) => void content.copy(part, 0, at, at + part.length), signal);
}

/** Puts until a part is asked for, which the storage then does not get. */
async function putBefore(position: number, content = bytes): Promise<void> {
  const until = storage.put(
    key,
    content.length,
    async (part, at) => {
      if (at >= position) throw new Error('interrupted');
      content.copy(part, 0, at, at + part.length);
    },
    signal,
  );
  await expect(until).rejects.toThrow('interrupted');
  standIn.requests.length = 0;
}

function partsSent(): number {
  return standIn.requests.filter((line) => line === `PUT ${path}`).length;
}

function expectWhole(content = bytes): void {
  expect(standIn.objects.get(path)?.equals(content)).toBe(true);
  expect(standIn.uploads.size).toBe(0);
}

describe('an interrupted put', () => {
  test.each([0, 1, 2, 3])('after %i parts sends the others', async (done) => {
    await putBefore(done * partBytes);
    await put();
    expectWhole();
    expect(partsSent()).toBe(4 - done);
  });

  test('before its completion sends nothing again', async () => {
    standIn.fault = (method, _path, query) => (method === 'POST' && query.has('uploadId') ? 503 : null);
    await expect(put()).rejects.toMatchObject({ failure: 'unreachable' });
    standIn.fault = () => null;
    standIn.requests.length = 0;
    await put();
    expectWhole();
    expect(partsSent()).toBe(0);
  });

  test('whose completion was done and not answered is complete', async () => {
    let count = 1;
    standIn.fault = (method, _path, query) =>
      method === 'POST' && query.has('uploadId') && count-- > 0 ? 'lost-answer' : null;
    await put();
    expectWhole();
    expect(partsSent()).toBe(4);
  });

  test('goes on over a list in pages', async () => {
    await putBefore(3 * partBytes);
    standIn.partsPerList = 1;
    await put();
    expectWhole();
    expect(partsSent()).toBe(1);
    expect(standIn.requests.filter((line) => line === `GET ${path}`)).toHaveLength(3);
  });

  test('sends what a list that repeats itself leaves out', async () => {
    await putBefore(3 * partBytes);
    standIn.partsPerList = 1;
    const md5 = createHash('md5').update(bytes.subarray(0, partBytes)).digest('hex');
    standIn.listed = (part) => ({ ...part, number: 1, etag: `"${md5}"` });
    await put();
    expectWhole();
    expect(partsSent()).toBe(3);
  });

  test.each([
    ['another ETag', { etag: '"0123456789abcdef0123456789abcdef"' }],
    ['an ETag that is no MD5', { etag: '"opaque-7"' }],
    ['another length', { length: 5 }],
  ])('sends a part again that has %s', async (_name, other) => {
    await putBefore(3 * partBytes);
    standIn.listed = (part) => (part.number === 2 ? { ...part, ...other } : part);
    await put();
    expectWhole();
    expect(partsSent()).toBe(2);
  });

  test('of other bytes with the same length is not taken for these', async () => {
    const other = Buffer.from(bytes);
    other[partBytes + 7] = (other[partBytes + 7] ?? 0) ^ 1;
    await putBefore(3 * partBytes, other);
    await put();
    expectWhole();
    expect(partsSent()).toBe(2);
  });

  test('begins anew when a part that was listed is gone', async () => {
    await putBefore(3 * partBytes);
    standIn.fault = (method, _path, query) => {
      if (method === 'POST' && query.has('uploadId')) standIn.uploads.get(query.get('uploadId') ?? '')?.parts.delete(2);
      standIn.fault = method === 'POST' ? () => null : standIn.fault;
      return null;
    };
    await put();
    expectWhole();
    expect(partsSent()).toBe(1 + 4);
  });

  test.each(['GET', 'PUT', 'POST'])('begins anew when %s finds the upload ended', async (at) => {
    await putBefore(3 * partBytes);
    standIn.fault = (method, asked) => {
      if (method === at && asked === path) {
        standIn.uploads.clear();
        standIn.fault = () => null;
      }
      return null;
    };
    await put();
    expectWhole();
  });

  test('that never finds its parts is given up', async () => {
    standIn.fault = (method, _path, query) => {
      if (method === 'POST' && query.has('uploadId')) standIn.uploads.get(query.get('uploadId') ?? '')?.parts.clear();
      return null;
    };
    await expect(put()).rejects.toMatchObject({ failure: 'bad-answer' });
    expect(standIn.uploads.size).toBe(0);
    expect(partsSent()).toBe(8);
  });

  test('goes on with the upload begun last and ends the others', async () => {
    await putBefore(partBytes);
    const old = [...standIn.uploads.values()].map((upload) => ({ ...upload, initiated: '2020-01-01T00:00:00.000Z' }));
    await put();
    standIn.objects.clear();
    await putBefore(3 * partBytes);
    for (const [at, upload] of old.entries()) standIn.uploads.set(`old-${at}`, { ...upload, parts: new Map() });
    standIn.uploads.set('of-another', {
      path: `${path}.json`,
      initiated: '2030-01-01T00:00:00.000Z',
      parts: new Map(),
    });
    await put();
    expect(partsSent()).toBe(1);
    expect(standIn.objects.get(path)?.equals(bytes)).toBe(true);
    expect([...standIn.uploads.keys()]).toEqual(['of-another']);
  });
});

describe('a storage that', () => {
  test.each<Fault>([403, 501])('answers %s to lists gets everything again', async (fault) => {
    await putBefore(3 * partBytes);
    standIn.fault = (method, asked, query) =>
      method === 'GET' && (asked === path || query.has('uploads')) ? fault : null;
    await put();
    expect(standIn.objects.get(path)?.equals(bytes)).toBe(true);
    expect(partsSent()).toBe(4);
  });

  test('is away keeps what it has', async () => {
    await putBefore(2 * partBytes);
    for (const failing of ['GET', 'PUT']) {
      standIn.fault = (method) => (method === failing ? 503 : null);
      await expect(put()).rejects.toMatchObject({ failure: 'unreachable' });
    }
    standIn.fault = () => null;
    standIn.requests.length = 0;
    await put();
    expectWhole();
    expect(partsSent()).toBe(2);
  }, 60_000);
});
