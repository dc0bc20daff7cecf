import { writev } from 'node:fs';
import { promisify } from 'node:util';
import type { HttpResponse } from '../http/http-client.ts';
import type { FetchContext } from './fetch-context.ts';
import type { Share } from '../share.ts';

const write = promisify(writev);
const bytesPerWrite = 1024 * 1024;
// What has come is written at least so often, so that little is lost by a kill on a slow line.
const maxHoldMs = 1000;
/** After its last byte a body should end; it is not waited for longer. */
const maxEndWaitMs = 1000;

export interface Place {
  readonly fd: number;
  readonly share: Share;
  readonly start: number;
  /** After the last byte; infinite when the length is not known. */
  readonly end: number;
  /** Hears of what was written. */
  wrote(start: number, end: number): void;
}

/** A body that goes on after the bytes that were asked for. */
export class Overlong extends Error {}

/**
 * Writes a body into a file. What has come before an error is written, too.
 *
 * @returns the place after the last byte that came; it is before the end of the place when the body was too short.
 * @throws Overlong after everything that was asked for is written; the error of the body or of writing.
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
    // Awaited before the next write and at the end; until then it must not count as unhandled.
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
    // Everything that was asked for is there: how the connection ends does not matter.
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
