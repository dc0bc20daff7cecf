import type { Readable } from 'node:stream';
import { HttpProblem } from '../../common/problem.ts';

// A program may write a small body word by word; the smallest packets of a large one have more than this.
const freeChunks = 1000;
const bytesPerChunk = 64;

/** What is told to whoever sends a body in too many pieces. */
export const tooManyChunks = 'The body arrives in too many pieces. Send it in larger ones.';

/**
 * Counts the pieces in which a body comes. Each costs six microseconds and 150 bytes, however short it is: a megabyte in chunks of one byte (RFC 9112
 * section 7.1) would hold the service for six seconds.
 *
 * @returns what each piece is shown to; it says false once there are too many for what is in them.
 */
export function chunkCounter(): (bytes: number) => boolean {
  let chunks = 0;
  let total = 0;
  return (bytes) => {
    chunks += 1;
    total += bytes;
    return chunks <= freeChunks + total / bytesPerChunk;
  };
}

/** Breaks off a body that comes in too many pieces, with its connection: whoever reads it hears of an error of the body. */
export function limitChunks(body: Readable): void {
  const isFine = chunkCounter();
  body.on('data', (chunk: Buffer) => {
    if (!isFine(chunk.length) && !body.destroyed) body.destroy(new HttpProblem(400, tooManyChunks));
  });
}
