import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';

type Line = Readonly<Record<string, unknown>>;

let lines: Line[] = [];
let world: IngestWorld;
beforeEach(async () => {
  lines = [];
  world = await startIngestWorld({
    logLevel: 'info',
    log: { write: (line) => void lines.push(JSON.parse(line) as Line) },
  });
});
afterEach(async () => world.end());

interface Kind {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send({ method, path, headers = {}, body = '' }: Kind, agent: http.Agent): Promise<number> {
  const { port } = new URL(world.service.url);
  return new Promise((resolve) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent,
      },
      (answer) => {
        answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
      },
    );
    request.once('error', () => resolve(0));
    request.end(body);
  });
}

/** Requests that somebody without a password or a token can send; every operation of the API, the pages, and the collector in all its ways. */
async function kinds(): Promise<readonly Kind[]> {
  const { paths } = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as {
    readonly paths: Readonly<Record<string, unknown>>;
  };
  const places = [
    ...Object.keys(paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '1')),
    '/users/sign_in',
    '/users/sign_out',
    '/users/second_factor',
    '/oauth/device',
    '/oauth/introspect',
    '/nothing',
    '/',
  ];
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const collector = `/api/v4/error_tracking/collector/api/${world.projectId}`;
  const key = `?sentry_key=${world.publicKey}`;
  return [
    ...places.flatMap((path) => [
      { method: 'POST', path, headers: form, body: 'client_id=a&token=b&username=alice&password=c' },
      ...['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({
        method,
        path,
        headers: json,
        body: method === 'GET' ? '' : '{}',
      })),
    ]),
    { method: 'POST', path: '/api/v4/projects', headers: { ...json, authorization: 'Bearer x' }, body: '{}' },
    { method: 'POST', path: '/api/v4/projects', headers: { ...json, host: 'elsewhere.example' }, body: '{}' },
    { method: 'POST', path: `${collector}/store?sentry_key=unknown`, body: '{}' },
    { method: 'POST', path: `${collector}/store${key}`, body: 'x' },
    { method: 'POST', path: `${collector}/%73tore${key}`, body: '{"message":"a"}' },
    { method: 'POST', path: `${collector}/store${key}`, body: '{"message":"a"}' },
    { method: 'POST', path: `${collector}/envelope${key}`, headers: { 'content-encoding': 'gzip' }, body: 'x' },
    { method: 'POST', path: `${collector}/envelope${key}`, headers: { 'content-encoding': 'made-up' }, body: 'x' },
    { method: 'POST', path: `${collector}/envelope`, body: '{}\n' },
    { method: 'OPTIONS', path: `${collector}/envelope${key}` },
  ];
}

async function sendAll(all: readonly Kind[]): Promise<readonly number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  try {
    return await Promise.all(all.map(async (kind) => send(kind, agent)));
  } finally {
    agent.destroy();
  }
}

it('L2: whatever strangers send, what comes again adds no line', async () => {
  const all = await kinds();
  const statuses = new Set(await sendAll(all));
  for (const status of [200, 204, 303, 400, 401, 403, 404, 415]) expect(statuses).toContain(status);
  // Attempts to sign in become refusals of another kind after some.
  for (let round = 0; round < 12; round += 1)
    await sendAll(all.filter(({ path }) => path.startsWith('/oauth') || path.startsWith('/users')));
  const before = lines.length;
  expect(before).toBeGreaterThan(50);
  for (let round = 0; round < 3; round += 1) await sendAll(all);
  expect(
    lines.slice(before).map(({ msg, method, url, status, reason }) => ({ msg, method, url, status, reason })),
  ).toEqual([]);
});

it('L2: refusals of one project do not hide those of another', async () => {
  const other = await world.project('other');
  for (let count = 0; count < 3; count += 1) {
    await world.send('store', 'x');
    await world.send('store', 'x', {}, `?sentry_key=${'f'.repeat(32)}`);
    await fetch(
      `${world.service.url}/api/v4/error_tracking/collector/api/${other.id}/store?sentry_key=${other.publicKey}`,
      { method: 'POST', body: 'x' },
    );
    // Without a key the number in the address is only said.
    await fetch(`${world.service.url}/api/v4/error_tracking/collector/api/${count}77/store`, {
      method: 'POST',
      body: 'x',
    });
  }
  const refused = lines.filter(({ msg }) => msg === 'event not taken' || msg === 'sender of errors refused');
  expect(refused.map(({ project, reason }) => [String(project), reason])).toEqual([
    [String(world.projectId), 'The event is not JSON.'],
    [String(world.projectId), 'unknown client key'],
    [String(other.id), 'The event is not JSON.'],
    ['077', 'The request names no client key.'],
  ]);
});
