import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../../../src-main/service/errors/ingest/inflate-body.ts';
import { RequestBody } from '../../../../src-main/service/errors/ingest/request-body.ts';

const limits = { received: 200_000, inflated: 1_000_000 };
const slot = { hold: () => {}, spend: () => {} };

async function readAll(source: Readable, encoding?: string, take = (_chunk: Buffer): void => {}): Promise<void> {
  const body = new RequestBody(source, encoding, limits, slot);
  try {
    await body.receive();
    for await (const chunk of body.chunks()) take(chunk);
  } finally {
    body.release();
  }
}

async function decode(body: Buffer, encoding?: string, piece = 1000): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += piece) pieces.push(body.subarray(at, at + piece));
  const chunks: Buffer[] = [];
  await readAll(Readable.from(pieces, { objectMode: false }), encoding, (chunk) => void chunks.push(chunk));
  return Buffer.concat(chunks);
}

// Hardly compressible, so that the encoded form is large too where it should be.
const text = (bytes: number) =>
  Buffer.from(
    Array.from({ length: bytes / 8 }, (_, index) =>
      ((index * 2654435761) % 2 ** 31).toString(36).padStart(8, 'x'),
    ).join(''),
  );

it('a body whose sender goes away is the sender’s fault, and not ours', async () => {
  const broken = new Readable({ read: () => void broken.destroy(new Error('aborted')) });
  await expect(readAll(broken)).rejects.toMatchObject({ status: 400 });
});

it('a body whose sender went away before it was read is refused, and not waited for', async () => {
  const gone = new Readable({ read: () => {} });
  gone.destroy();
  await finished(gone).catch(() => {});
  await expect(readAll(gone)).rejects.toMatchObject({ status: 400 });
});

const encodings = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['GZIP', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
  ['identity', (body: Buffer) => body],
  ['', (body: Buffer) => body],
] as const;

describe.each(encodings)('a body with Content-Encoding "%s"', (encoding, encode) => {
  it.each([[16], [20_000], [160_000]])('of %i bytes is read', async (bytes) => {
    const body = text(bytes);
    expect((await decode(encode(body), encoding)).equals(body)).toBe(true);
  });
});

const packed = encodings.filter(([name]) => !['identity', ''].includes(name));

describe.each(packed)('what claims to be "%s"', (encoding, encode) => {
  it.each([[20_000], [160_000]])('and is cut off is refused (%i bytes)', async (bytes) => {
    const whole = encode(text(bytes));
    // Whatever came before the cut may have been handed over, but never as a whole.
    await expect(decode(whole.subarray(0, Math.floor(whole.length / 2)), encoding)).rejects.toMatchObject({
      status: 400,
    });
  });

  it('and is something else is refused', async () => {
    await expect(decode(Buffer.from('{"event_id":1}'), encoding)).rejects.toMatchObject({ status: 400 });
    await expect(decode(Buffer.alloc(100_000, 'nonsense'), encoding)).rejects.toMatchObject({ status: 400 });
  });

  it('and inflates without end is stopped', async () => {
    const bomb = encode(Buffer.alloc(20_000_000));
    const before = process.memoryUsage().rss;
    await expect(decode(bomb, encoding)).rejects.toMatchObject({ status: 413 });
    expect(process.memoryUsage().rss - before).toBeLessThan(15_000_000);
  });
});

it.each([['compress'], ['gzip, gzip'], ['utf-8']])('the encoding "%s" is not known', async (encoding) => {
  await expect(decode(text(16), encoding)).rejects.toMatchObject({ status: 415, drop: 'malformed' });
});

it('stops at the limit of what is received', async () => {
  await expect(decode(text(200_008))).rejects.toMatchObject({ status: 413 });
  await expect(decode(text(200_000))).resolves.toHaveLength(200_000);
});

it('refuses a body that breaks off', async () => {
  const body = new Readable({ read: () => {} });
  body.push('{"a":');
  setImmediate(() => body.destroy());
  await expect(readAll(body)).rejects.toMatchObject({ status: 400 });
});

it('gives back what its reader throws, and lets the rest of the body pass', async () => {
  const body = Readable.from([Buffer.from('a'), Buffer.from('b')]);
  const failure = new Error('not this');
  const refuse = () => {
    throw failure;
  };
  await expect(readAll(body, undefined, refuse)).rejects.toBe(failure);
  await finished(body);
  expect(body.readableEnded).toBe(true);
});

describe('the memory of a body', () => {
  const take = async (length: number) => {
    const body = new RequestBody(Readable.from([zlib.gzipSync(Buffer.alloc(length, 'a'))]), 'gzip', limits, slot);
    await body.receive();
    const chunks: Buffer[] = [];
    for await (const chunk of body.chunks()) chunks.push(chunk);
    const [whole] = chunks;
    if (!whole || chunks.length > 1) throw new Error('not inflated at once');
    expect(whole.equals(Buffer.alloc(length, 'a'))).toBe(true);
    const { buffer } = whole;
    body.release();
    return buffer.byteLength;
  };
  it('is given back when nobody needs it any more', async () => {
    expect(await take(100_000)).toBe(0);
  });
  it('stays where other buffers are parts of it', async () => {
    expect(await take(3000)).toBe(Buffer.poolSize);
  });
});

it('counts what is received and inflated, and holds what waits to be read', async () => {
  const counted = { held: 0, spent: 0 };
  const counting = {
    hold: (bytes: number) => void (counted.held += bytes),
    spend: (bytes: number) => void (counted.spent += bytes),
  };
  const sent = zlib.gzipSync(text(20_000));
  const body = new RequestBody(Readable.from([sent.subarray(0, 100), sent.subarray(100)]), 'gzip', limits, counting);
  expect(await body.receive()).toBe(sent.length);
  expect(counted).toEqual({ held: sent.length, spent: sent.length });
  for await (const chunk of body.chunks()) expect(chunk).toHaveLength(20_000);
  expect(counted).toEqual({ held: 0, spent: sent.length + 20_000 });
});

describe('base64 of zlib without a header', () => {
  const json = Buffer.from('{"message":"hello"}');
  it('is read', () => {
    expect(decodeBase64(Buffer.from(zlib.deflateSync(json).toString('base64')), 1000).equals(json)).toBe(true);
    expect(decodeBase64(json, 1000).equals(json)).toBe(true);
  });
  it('is refused when it is none, cut off or too large', () => {
    expect(() => decodeBase64(Buffer.from(zlib.deflateSync(json).toString('base64').slice(0, 20)), 1000)).toThrow(
      expect.objectContaining({ status: 400 }),
    );
    expect(() => decodeBase64(Buffer.from('eJxnonsense'), 1000)).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => decodeBase64(Buffer.from(zlib.deflateSync(Buffer.alloc(1001)).toString('base64')), 1000)).toThrow(
      expect.objectContaining({ status: 413 }),
    );
  });
});

it('C1: a body that is not taken is not inflated any further', async () => {
  const zeros = 128 * 1024 * 1024;
  const body = new Readable({ read: () => {} });
  body.push(zlib.gzipSync(Buffer.alloc(zeros)).subarray(0, -100));
  let inflated = 0;
  const decoding = new RequestBody(body, 'gzip', { received: 200_000, inflated: 2 * zeros }, slot);
  await decoding.receive();
  const read = async () => {
    for await (const chunk of decoding.chunks()) {
      // A sender that goes away with the first piece, of which much is left to inflate.
      if (inflated === 0) body.destroy();
      inflated += chunk.length;
    }
  };
  await expect(read()).rejects.toMatchObject({ status: 400 });
  const atRefusal = inflated;
  expect(atRefusal).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(inflated).toBe(atRefusal);
  expect(inflated).toBeLessThan(zeros / 2);
});
