import { writev } from 'node:fs';
import { promisify } from 'node:util';
import type { HttpResponse } from '../http/http-client.ts';
import type { FetchContext } from './fetch-context.ts';
import type { Share } from '../share.ts';

const write = promisify(writev);
const bytesPerWrite = 1024 * 1024;
// Received bytes are written at least this often, so that a kill loses little on a slow connection.
const maxHoldMs = 1000;
/** How long to wait for the end of a body after its last byte. */
const maxEndWaitMs = 1000;

export interface Place {
  readonly fd: number;
  readonly share: Share;
  readonly start: number;
  /** Exclusive; infinite if the length is unknown. */
  readonly end: number;
  /** Called after each write. */
  wrote(start: number, end: number): void;
}

/** The body is longer than the requested range. */
export class Overlong extends Error {}

/**
 * Writes a body into a file. Bytes received before an error are written too.
 *
 * @returns the offset after the last received byte, below `place.end` if the body was too short.
 * @throws Overlong after all requested bytes are written; the error of the body or of writing.
 */
export async function receiveBody(
  { counters, throttle, rest, signal }: FetchContext,
  { body }: HttpResponse,
  place: Place,
): Promise<number> {
  let at = place.start;
  let batch: Buffer[] = [];
  let batchStart = at;
  let heldSince = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    const [bytes, start, end] = [batch, batchStart, at];
    [batch, batchStart] = [[], at];
    await writing;
    writing = writeAll(place.fd, bytes, start).then(() => place.wrote(start, end));
    // Awaited before the next write and at the end; until then its rejection must not count as
    // unhandled.
    writing.catch(() => {});
  };
  let ending: NodeJS.Timeout | null = null;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      counters.received(part.length);
      const fits = part.length <= place.end - at ? part : part.subarray(0, place.end - at);
      if (fits.length > 0) {
        if (batch.length === 0) heldSince = performance.now();
        batch.push(fits);
        at += fits.length;
        place.share.take(fits.length);
      }
      if (fits !== part) throw new Overlong();
      if (at === place.end) ending ??= setTimeout(() => body.destroy(), maxEndWaitMs);
      const wait = throttle(part.length);
      if (
        at - batchStart >= bytesPerWrite ||
        wait > maxHoldMs ||
        place.share.isFull ||
        performance.now() - heldSince > maxHoldMs
      )
        await flush();
      if (wait > 1) await rest(wait, signal);
      if (place.share.isFull) {
        await writing;
        await place.share.room();
        signal.throwIfAborted();
      }
    }
  } catch (error) {
    // All requested bytes are here, so the way the connection ends does not matter.
    if (at < place.end || error instanceof Overlong) throw error;
  } finally {
    if (ending) clearTimeout(ending);
    if (batch.length > 0) await flush();
    await writing;
  }
  return at;
}

async function writeAll(fd: number, bytes: Buffer[], start: number): Promise<void> {
  let [left, at] = [bytes, start];
  while (left.length > 0) {
    let { bytesWritten: count } = await write(fd, left, at);
    at += count;
    const next: Buffer[] = [];
    for (const part of left) {
      if (count < part.length) next.push(part.subarray(count));
      count = Math.max(0, count - part.length);
    }
    left = next;
  }
}
