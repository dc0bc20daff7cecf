import type { Readable } from 'node:stream';
import { HttpProblem } from '../../common/problem.ts';

// A program may write a small body word by word; a large one in the smallest packets exceeds this.
const freeChunks = 1000;
const bytesPerChunk = 64;

/** The error text for a body in too many chunks. */
export const tooManyChunks = 'The body arrives in too many pieces. Send it in larger ones.';

/**
 * Counts the chunks of a body. Each costs six microseconds and 150 bytes, however short it is: a
 * megabyte in chunks of one byte (RFC 9112 section 7.1) would block the service for six seconds.
 *
 * @returns a function to call with the length of each chunk; it returns false once there are too
 * many for their bytes.
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

/**
 * Fails a body that arrives in too many chunks, with its connection: its reader gets an error.
 *
 * @param count is called with the length of each chunk.
 */
export function limitChunks(body: Readable, count: ((bytes: number) => void) | null): void {
  const isFine = chunkCounter();
  body.on('data', (chunk: Buffer) => {
    if (isFine(chunk.length)) count?.(chunk.length);
    else if (!body.destroyed) body.destroy(new HttpProblem(400, tooManyChunks));
  });
}
