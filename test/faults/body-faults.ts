import { gzipSync } from 'node:zlib';
import { firstBytes } from './connection-faults.ts';
import type { Answer, Fault } from './exchange.ts';

type Body = Answer['body'];

/**
 * Ends cleanly, in chunks, this many bytes early: only a length known from elsewhere reveals it.
 */
export function cleanlyShort(missing: number): Fault {
  return (_asked, answer) => ({
    ...withoutLength(answer),
    body: firstBytes(answer.body, Number(answer.headers['content-length']) - missing),
  });
}

/** Ends with the connection, without a length, this many bytes early. */
export function shortUntilClose(missing: number): Fault {
  return (asked, answer) => ({ ...(cleanlyShort(missing)(asked, answer) as Answer), untilClose: true });
}

/** One wrong bit at a position of the file or archive, wherever that is in the response. */
export function flipBit(position: number): Fault {
  return (asked, answer) => {
    if (answer.status >= 300) return answer;
    const start = answer.status === 206 ? (asked.range?.[0] ?? 0) : 0;
    return { ...answer, body: flipped(answer.body, position - start) };
  };
}

/** More bytes than announced, and then a clean end. */
export function tooMany(more: number): Fault {
  return (_asked, answer) => ({ ...answer, body: followedBy(answer.body, more) });
}

/** Endless bytes; in chunks, so that no length is announced. */
export const endless: Fault = (_asked, answer) => ({
  ...withoutLength(answer),
  body: followedBy(answer.body, Number.POSITIVE_INFINITY),
});

/** A content coding that the client did not request, otherwise valid. */
export const gzipped: Fault = async (_asked, answer) => {
  const parts: Buffer[] = [];
  for await (const bytes of answer.body) parts.push(bytes);
  const packed = gzipSync(Buffer.concat(parts));
  return {
    ...answer,
    headers: { ...answer.headers, 'content-encoding': 'gzip', 'content-length': String(packed.length) },
    body: [packed],
  };
};

/** Like the fault above, without `Content-Length`. */
export function withoutLength(answer: Answer): Answer {
  const { 'content-length': _length, ...headers } = answer.headers;
  return { ...answer, headers };
}

async function* flipped(body: Body, at: number): AsyncGenerator<Buffer> {
  let before = 0;
  for await (const bytes of body) {
    const here = at - before;
    const copy = here >= 0 && here < bytes.length ? Buffer.from(bytes) : bytes;
    if (copy !== bytes) copy[here] = (copy[here] ?? 0) ^ 1;
    yield copy;
    before += bytes.length;
  }
}

async function* followedBy(body: Body, count: number): AsyncGenerator<Buffer> {
  yield* body;
  const filler = Buffer.alloc(64 * 1024, 'x');
  for (let left = count; left > 0; left -= filler.length) yield filler.subarray(0, Math.min(left, filler.length));
}
