import fc from 'fast-check';
import http from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine, type CommandLine } from '../../cli/command-line.ts';
import { readForms } from '../../clients/oauth/read-forms.ts';
import { learned, ready, wishes, type ReadyRequest } from './fuzz-requests.ts';
import { fuzzTargets, type Target } from './fuzz-targets.ts';
import { fuzzWorld, type Pool, type World } from './fuzz-world.ts';

// A short run by default; BENCHPORT_FUZZ_SECONDS=600 for the long one.
const seconds = Number(process.env['BENCHPORT_FUZZ_SECONDS'] ?? 15);
const secondsOfLines = Math.max(3, seconds / 30);
vi.setConfig({ testTimeout: (seconds + 60) * 1000, hookTimeout: 60_000 });

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

let cli: CommandLine;
let world: World;
let targets: readonly Target[];

beforeAll(async () => {
  cli = await commandLine();
  world = await fuzzWorld(cli);
  targets = await fuzzTargets(world.service.url);
  await refresh();
});
afterAll(async () => {
  world.end();
  await cli.end();
});

test('S112 requests from nearly right to nonsense get no 5xx and do not end the service', async () => {
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  let ended = false;
  void world.service.ended.then(() => (ended = true));
  const end = Date.now() + (seconds - secondsOfLines) * 1000;
  let next = Date.now() + 3000;
  const outcome = await fc.check(
    fc.asyncProperty(fc.array(wishes, { minLength: 1, maxLength: 4 }), async (some) => {
      if (Date.now() > next) {
        await refresh();
        next = Date.now() + 1500;
      }
      const sent = some.map((wish) => ready(wish, targets, world.pool));
      const answers = await Promise.all(sent.map(ask));
      answers.forEach((answer, index) => {
        const request = sent[index];
        if (answer.status >= 500 || ended)
          throw new Error(`${describe(request)}\nwas answered with ${answer.status}: ${answer.text.slice(0, 500)}`);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const wanted = targets[(some[index]?.target ?? 0) % targets.length];
        if (answer.status < 400 && wanted?.method === request?.method) reached.add(`${wanted?.method} ${wanted?.path}`);
        learn(world.pool, answer);
      });
    }),
    // The service keeps state, so shrinking would test something else.
    {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: end - Date.now(),
      markInterruptAsFailure: false,
      endOnFailure: true,
    },
  );
  if (outcome.failed) throw new Error(`with seed ${outcome.seed}`, { cause: outcome.errorInstance });
  const sum = [...statuses.values()].reduce((one, other) => one + other, 0);
  console.info(
    `${sum} requests to ${targets.length} routes: ${[...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, times]) => `${status}: ${times}`)
      .join(', ')}; ${reached.size} routes were used with success, not so ${targets
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !reached.has(name))
      .join(', ')}`,
  );
  expect(ended).toBe(false);
  expect((await fetch(`${world.service.url}/-/health`)).status).toBe(200);
  expect(world.service.output().stderr).not.toContain('unexpected failure');
  // A run in which everything is refused proves nothing; the time needed depends on the machine.
  expect(reached.size).toBeGreaterThan(10);
  expect(statuses.get(429) ?? 0).toBeLessThan(sum / 4);
});

test('S112 neither do bytes that are not HTTP', async () => {
  const { port } = new URL(world.service.url);
  const lines = fc.constantFrom(
    'POST /oauth/token HTTP/1.1',
    'GET /oauth/authorize?%zz HTTP/1.1',
    'GET  HTTP/9',
    'POST //oauth//token HTTP/1.1',
    'host: 127.0.0.1',
    'content-length: 5',
    'content-length: -1',
    'content-length: 99999999999999999999',
    'transfer-encoding: chunked',
    'transfer-encoding: chunked, identity',
    'content-type: application/x-www-form-urlencoded',
    'authorization: Basic \u0000',
    'expect: 100-continue',
    'connection: upgrade',
    'upgrade: h2c',
    ' folded: x',
    '',
    'a=b&a=b&%',
    '5',
    'zz',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(lines, { maxLength: 12 }), async (text) => {
      const status = await speak(Number(port), `${text.join('\r\n')}\r\n\r\n`);
      if (status >= 500 && status !== 505) throw new Error(`${JSON.stringify(text)} was answered with ${status}`);
    }),
    { numRuns: 10_000, interruptAfterTimeLimit: secondsOfLines * 1000, markInterruptAsFailure: false },
  );
  expect((await fetch(`${world.service.url}/-/health`)).status).toBe(200);
});

/** Restores removed objects, and reads the CSRF tokens of the new sessions. */
async function refresh(): Promise<void> {
  await world.restore();
  for (const cookie of world.pool.get('cookie')?.slice(-2) ?? []) {
    if (typeof cookie !== 'string') continue;
    const session = (await (
      await fetch(`${world.service.url}/api/v4/session`, { headers: { cookie: `benchport_session=${cookie}` } })
    ).json()) as Record<string, unknown>;
    if (typeof session['csrf_token'] === 'string') world.pool.set(`csrf of ${cookie}`, [session['csrf_token']]);
  }
}

function ask(request: ReadyRequest): Promise<Answer> {
  const { method, path, headers, body, localAddress } = request;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.service.url);
    const sent = http.request(
      {
        hostname,
        port,
        method,
        path,
        ...from(localAddress),
        agent: false,
        timeout: 40_000,
        headers: { ...headers, connection: 'close' },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within 40 s: ${describe(request)}`)));
    sent.on('error', (error) => reject(new Error(`${describe(request)}: ${error.message}`)));
    sent.end(body ?? undefined);
  });
}

// Only Linux answers on all of 127/8.
function from(localAddress: string): { readonly localAddress?: string } {
  return process.platform === 'linux' ? { localAddress } : {};
}

function describe(request: ReadyRequest | undefined): string {
  return JSON.stringify(request)?.slice(0, 3000) ?? '';
}

/** Stores a value of a response under the name of the parameter that takes it. */
function learn(pool: Pool, { headers, text }: Answer): void {
  const add = (name: string, value: unknown) => {
    if (learned.has(name) && typeof value === 'string' && value !== '')
      pool.set(name, [...(pool.get(name) ?? []), value].slice(-20));
  };
  for (const line of headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^(?:__Host-)?benchport_(\w+)=([^;]*)/.exec(line) ?? [];
    // Sessions are renewed by `refresh`, together with their CSRF tokens.
    add(name === 'form' ? 'form cookie' : name, value);
  }
  const { location } = headers;
  if (location !== undefined && URL.canParse(location, 'http://x')) {
    const { searchParams, hash } = new URL(location, 'http://x');
    for (const [name, value] of [...searchParams, ...new URLSearchParams(hash.slice(1))]) add(name, value);
  }
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/html'))
    for (const form of readForms(text)) for (const [name, value] of form.fields) add(name, value);
  if (!type.startsWith('application/json')) return;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return;
  }
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    add(name, value);
    if (name === 'access_token' || name === 'refresh_token') add('token', value);
    if (name === 'token') add('access_token', value);
  }
}

/**
 * Sends bytes and returns the status of the first response; 0 when the connection was closed
 * without one.
 */
function speak(port: number, text: string): Promise<number> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    const done = () => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0));
    };
    socket.setTimeout(300, done);
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    socket.on('end', done);
    socket.on('error', done);
  });
}
