import { write as writeCallback } from 'node:fs';
import { promisify } from 'node:util';
import type { HttpResponse } from '../../../http-client/http-response.ts';
import type { FetchContext } from './fetch-context.ts';
import type { Share } from './share.ts';

const write = promisify(writeCallback);
/** How long to wait for the end of a body after its last byte. */
const maxEndWaitMs = 1000;

export interface WriteRange {
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
 * Writes a body into a file, part by part. Bytes received before an error are written too.
 *
 * @returns the offset after the last received byte, below `place.end` if the body was too short.
 * @throws Overlong after all requested bytes are written; the error of the body or of writing.
 */
export async function receiveBody(
  { counters, throttle, rest, signal }: FetchContext,
  response: HttpResponse,
  place: WriteRange,
): Promise<number> {
  let at = place.start;
  let writing = Promise.resolve();
  let ending: NodeJS.Timeout | null = null;

  const receive = async (bytes: Buffer, start: number): Promise<void> => {
    const fits = bytes.subarray(0, place.end - start);
    await writeAll(place.fd, fits, start);
    if (fits.length > 0) place.wrote(start, start + fits.length);
    if (fits.length < bytes.length) throw new Overlong();
    const wait = throttle(bytes.length);
    // After a stop, bytes already received are still written.
    if (wait > 1) await rest(wait, signal).catch(() => {});
    if (!signal.aborted) await place.share.room();
  };

  try {
    await response.read((bytes) => {
      const start = at;
      at = Math.min(place.end, at + bytes.length);
      counters.received(bytes.length);
      place.share.take(at - start);
      if (at === place.end) ending ??= setTimeout(() => response.end(), maxEndWaitMs);
      writing = writing.then(async () => receive(bytes, start));
      return writing;
    });
  } catch (error) {
    // All requested bytes are here, so the way the connection ends does not matter.
    if (at < place.end || error instanceof Overlong) throw error;
  } finally {
    if (ending) clearTimeout(ending);
    await writing;
  }
  return at;
}

async function writeAll(fd: number, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await write(fd, bytes, done, bytes.length - done, start + done)).bytesWritten;
}
