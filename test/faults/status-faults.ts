import { bareAnswer, type Answer, type Fault } from './exchange.ts';

/** A status instead of the response, with `Retry-After` (seconds or a date) if given. */
export function answerStatus(status: number, retryAfter?: string): Fault {
  return () => bareAnswer(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }, 'This did not work.');
}

/** 403: the token is valid without access. */
export const noAccess: Fault = () => bareAnswer(403, {}, 'You have no access to this measurement.');

/** A page with status 200, as a proxy or a captive portal sends it. */
export const aPage: Fault = () =>
  bareAnswer(
    200,
    { 'content-type': 'text/html' },
    '<!doctype html><title>Sign in</title><p>Sign in to use this network.</p>',
  );

/** 429 while this many other requests are being answered. */
export function busyBeyond(most: number): Fault {
  let busy = 0;
  return (_asked, answer) => {
    if (busy >= most) return bareAnswer(429, {}, 'There are too many of you.');
    busy += 1;
    return { ...answer, body: untilEnd(answer.body, () => (busy -= 1)) };
  };
}

async function* untilEnd(body: Answer['body'], ended: () => void): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } finally {
    ended();
  }
}
