import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { invalidRequest } from '../../common/problem.ts';
import { chunkBytes, maxChunksPerRequest } from './upload-limits.ts';

const unpack = promisify(zlib.gunzip);
const sha1 = /^[0-9a-f]{40}$/;
// gzip adds a few bytes to incompressible content.
const maxPackedBytes = chunkBytes + 4096;

/** A chunk whose digest has been verified. */
export interface Chunk {
  readonly digest: string;
  readonly content: Buffer;
}

/**
 * Reads the chunks of a multipart request one after the other: parts `file` as they are and
 * `file_gzip` compressed, each with its SHA-1 as the file name.
 *
 * @param take awaited before the next chunk is read
 * @throws HttpProblem 400 for an invalid body; the chunks before the fault have been taken
 */
export async function readChunks(
  headers: IncomingHttpHeaders,
  body: Readable,
  take: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  const reader = new Busboy({
    headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
    limits: {
      files: maxChunksPerRequest + 1,
      fields: 0,
      fileSize: maxPackedBytes,
      parts: maxChunksPerRequest + 1,
      headerPairs: 20,
    },
  });
  let taken = Promise.resolve();
  let count = 0;
  const whole = new Promise<void>((resolve, reject) => {
    reader.on('file', (field, stream, name) => {
      count += 1;
      const isTooMany = count > maxChunksPerRequest;
      taken = taken.then(async () => {
        if (isTooMany) throw invalidRequest(`A request has at most ${maxChunksPerRequest} chunks.`);
        await take(await readChunk(field, name, stream));
      });
      // A failure rejects at once, without reading the rest of the body.
      taken.catch(reject);
    });
    reader.once('finish', resolve);
    reader.once('error', () => reject(invalidRequest('The body is no whole multipart/form-data (RFC 7578).')));
    body.once('error', reject);
    body.once('close', () => {
      if (!body.readableEnded) reject(invalidRequest('The request ended before its body.'));
    });
  });
  body.pipe(reader);
  try {
    await whole;
    await taken;
  } finally {
    body.unpipe(reader);
    body.resume();
  }
  if (count === 0) throw invalidRequest('There is no chunk in the request: a part named `file` or `file_gzip` is one.');
}

async function readChunk(field: string, digest: string, stream: BusboyFileStream): Promise<Chunk> {
  if (field !== 'file' && field !== 'file_gzip') throw invalidRequest('Parts are to be named `file` or `file_gzip`.');
  if (!sha1.test(digest)) throw invalidRequest('The file name of a chunk is its SHA-1 in 40 hexadecimal digits.');
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  const sent = Buffer.concat(pieces);
  if (stream.truncated) throw invalidRequest(`A chunk is larger than ${chunkBytes} bytes.`);
  const content = field === 'file' ? sent : await unpack(sent, { maxOutputLength: chunkBytes }).catch(() => null);
  if (content === null || content.length > chunkBytes)
    throw invalidRequest(`A chunk is no gzip, or larger than ${chunkBytes} bytes when it is unpacked.`);
  if (createHash('sha1').update(content).digest('hex') !== digest)
    throw invalidRequest('A chunk does not have the SHA-1 that it is named by.');
  return { digest, content };
}
