import { write as writeCallback } from 'node:fs';
import { promisify } from 'node:util';
import type { BodyHandler } from '../http/pipelined-request.ts';
import type { FetchContext } from './fetch-context.ts';
import type { Place } from './receive-body.ts';

const write = promisify(writeCallback);

/**
 * Writes the body from a pipelined connection into a file, part by part. Bytes received before an
 * error are written too.
 *
 * @returns the offset after the last byte.
 * @throws the error of the connection or of writing.
 */
export async function receiveDirectly(
  { counters, signal, throttle, rest }: FetchContext,
  read: (take: BodyHandler) => Promise<void>,
  place: Place,
): Promise<number> {
  let at = place.start;
  let before: Promise<void> = Promise.resolve();
  await read((bytes) => {
    const start = at;
    at += bytes.length;
    counters.received(bytes.length);
    place.share.take(bytes.length);
    before = before.then(async () => {
      await writeAll(place.fd, bytes, start);
      place.wrote(start, start + bytes.length);
      const wait = throttle(bytes.length);
      // After a stop, bytes already received are still written.
      if (wait > 1) await rest(wait, signal).catch(() => {});
      if (!signal.aborted) await place.share.room();
    });
    return before;
  });
  return at;
}

async function writeAll(fd: number, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await write(fd, bytes, done, bytes.length - done, start + done)).bytesWritten;
}
