import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Fault } from './exchange.ts';

/** The connection ends after this many bytes of the body, whatever length was announced. */
export function cutAfter(bytes: number, how: 'cut' | 'reset' = 'cut'): Fault {
  return (_asked, answer) => ({ ...answer, body: firstBytes(answer.body, bytes), ending: how });
}

/** Sends this many bytes, then stalls for ever. */
export function silentAfter(bytes: number): Fault {
  return (_asked, answer) => ({ ...answer, body: firstBytes(answer.body, bytes), ending: 'silence' });
}

/** Stalls before the response head. */
export const hangBeforeHead: Fault = (asked) =>
  new Promise<Answer>((_resolve, reject) => asked.socket.once('close', () => reject(new Error('closed'))));

/** The connection ends before the head. */
export const closeBeforeHead: Fault = (asked, answer) => {
  asked.socket.destroy();
  return answer;
};

/**
 * The response is complete; then the kept connection is closed silently, as servers do after an
 * idle timeout.
 */
export const closeAfterAnswer: Fault = (_asked, answer) => ({ ...answer, thenClose: true });

/** One byte at a time. */
export function trickle(milliseconds: number): Fault {
  return (_asked, answer) => ({ ...answer, body: oneByOne(answer.body, milliseconds) });
}

/** The first bytes of a body. */
export async function* firstBytes(body: Answer['body'], count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const bytes of body) {
    if (left === 0) return;
    yield bytes.subarray(0, left);
    left -= Math.min(left, bytes.length);
  }
}

async function* oneByOne(body: Answer['body'], milliseconds: number): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length; at += 1) {
      yield bytes.subarray(at, at + 1);
      await wait(milliseconds);
    }
  }
}
