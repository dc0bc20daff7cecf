import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { password } from './oauth-database.ts';

export interface SignIns {
  readonly done: number;
  /** Milliseconds from the form to the response: p50 and the maximum. */
  readonly median: number;
  readonly worst: number;
}

/**
 * Signs users in by the form at a steady rate, each from a separate address as in a laboratory,
 * because the service limits attempts of one address.
 */
export async function signInSteadily(
  port: number,
  usernames: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<SignIns> {
  const running: Promise<number>[] = [];
  const began = performance.now();
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    await wait(Math.max(0, began + (turn * 1000) / perSecond - performance.now()));
    const person = turn % usernames.length;
    running.push(signIn(port, usernames[person] ?? '', `127.1.${1 + Math.floor(person / 200)}.${1 + (person % 200)}`));
  }
  const took = (await Promise.all(running)).toSorted((a, b) => a - b);
  return { done: took.length, median: took[Math.floor(took.length / 2)] ?? 0, worst: took.at(-1) ?? 0 };
}

async function signIn(port: number, username: string, localAddress: string): Promise<number> {
  const page = await ask({ port, localAddress, path: '/users/sign_in', method: 'GET' }, '');
  const formToken = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const body = new URLSearchParams({ form_token: formToken, return_to: '/ui/', username, password }).toString();
  const began = performance.now();
  const headers = {
    cookie: page.cookie,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  const answer = await ask({ port, localAddress, path: '/users/sign_in', method: 'POST', headers }, body);
  if (answer.status !== 303) throw new Error(`${username} could not sign in: ${answer.status}`);
  return performance.now() - began;
}

function ask(
  options: http.RequestOptions,
  body: string,
): Promise<{ readonly status: number; readonly text: string; readonly cookie: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      const cookie = (response.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, cookie }));
    });
    request.on('error', reject);
    request.end(body);
  });
}
