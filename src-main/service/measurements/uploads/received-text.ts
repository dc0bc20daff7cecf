import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../../common/problem.ts';
import { chunksOf } from './receive-body.ts';

const silentMs = 60_000;
const lookEveryMs = 5000;
/** A longer text that is so slow holds its place for too long. */
const maxMs = 30 * 60_000;
const maxBytes = 1024 * 1024 * 1024;

/** The chunks of a body. @throws HttpProblem 408 for a client that is silent, 413 for one that does not end. */
export async function* receivedText(body: IncomingMessage): AsyncGenerator<Buffer> {
  const silent = new AbortController();
  const beganAt = performance.now();
  let heardAt = beganAt;
  let length = 0;
  const watching = setInterval(() => {
    const now = performance.now();
    if (now - heardAt > silentMs || now - beganAt > maxMs)
      silent.abort(new HttpProblem(408, 'The manifest did not come in time.'));
  }, lookEveryMs);
  try {
    for await (const chunk of chunksOf(body, silent.signal)) {
      heardAt = performance.now();
      length += chunk.length;
      if (length > maxBytes) throw new HttpProblem(413, `A manifest has at most ${maxBytes} bytes.`);
      yield chunk;
      heardAt = performance.now();
    }
  } finally {
    clearInterval(watching);
  }
}
