import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serviceRequests } from '../../src-main/shell/page/service-requests.ts';
import { forward, type ServiceSocket } from '../../src-main/shell/service/service-socket.ts';
import type { ServiceState } from '../../src-main/shell/service/service-supervisor.ts';
import { makeSocketPlace } from '../../src-main/shell/service/socket-folder.ts';
import { ChosenPaths } from '../../src-main/shell/files/chosen-paths.ts';
import { StagedPaths } from '../../src-main/shell/files/staged-paths.ts';

let folder: string;
let server: http.Server;
let socket: ServiceSocket;
let handle: http.RequestListener;

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-socket-'));
  socket = { socketPath: path.join(folder, 'window.sock'), secret: 's'.repeat(64) };
  server = http.createServer((request, response) => {
    handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(socket.socketPath, resolve);
  });
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await fs.rm(folder, { recursive: true, force: true });
});

it('the launch secret is added, whatever the page sent under its name, and connection headers are dropped', async () => {
  let seen: http.IncomingHttpHeaders = {};
  handle = (request, response) => {
    seen = request.headers;
    response.writeHead(200, { 'x-seen': 'yes', connection: 'close', 'set-cookie': ['a=1', 'b=2'] }).end('body');
  };
  const headers = {
    'x-benchport-launch-secret': 'guess',
    'x-own': 'kept',
    te: 'trailers',
    upgrade: 'h2c',
    referer: 'app://local/',
  };
  const response = await forward(new Request('http://local/api?q=1', { headers }), socket);
  expect(seen).toMatchObject({ host: 'localhost', 'x-benchport-launch-secret': socket.secret, 'x-own': 'kept' });
  for (const name of ['te', 'upgrade', 'referer', 'origin']) expect(seen).not.toHaveProperty(name);
  expect([
    response.status,
    response.headers.get('x-seen'),
    response.headers.get('connection'),
    await response.text(),
  ]).toEqual([200, 'yes', null, 'body']);
});

it.each([204, 304])('a response with %i has no body', async (status) => {
  handle = (_request, response) => {
    response.writeHead(status, { etag: '"x"' }).end();
  };
  const response = await forward(new Request('http://local/api'), socket);
  expect([response.status, response.body, response.headers.get('etag')]).toEqual([status, null, '"x"']);
});

it('the response to HEAD keeps its length and has no body', async () => {
  handle = (_request, response) => {
    response.writeHead(200, { 'content-length': '12345' }).end();
  };
  const response = await forward(new Request('http://local/measurements/m1/files', { method: 'HEAD' }), socket);
  expect([response.headers.get('content-length'), response.body]).toEqual(['12345', null]);
});

it('a response that breaks off is an error, not a short success', async () => {
  handle = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('part', () => response.destroy());
  };
  const response = await forward(new Request('http://local/api'), socket);
  await expect(response.text()).rejects.toThrow();
});

it('an unreachable service is a 502 problem', async () => {
  const response = await forward(new Request('http://local/api'), { ...socket, socketPath: path.join(folder, 'none') });
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({
    type: 'urn:benchport:problem:service-unreachable',
    title: 'Bad Gateway',
    status: 502,
  });
});

it.each<[ServiceState, string]>([
  [{ kind: 'starting' }, 'service-starting'],
  [{ kind: 'starting', message: 'Moving the data' }, 'service-busy'],
  [{ kind: 'restarting', delayMs: 250 }, 'service-starting'],
  [{ kind: 'failed', code: 'port-in-use', message: 'Port 7420 is taken.' }, 'service-failed'],
  [{ kind: 'stopped' }, 'service-stopped'],
])('while the service is %j the page gets %s', async (state, type) => {
  const response = await serviceRequests(
    socket,
    () => state,
    new StagedPaths(),
    new ChosenPaths(),
  )(new Request('http://local/api'));
  expect([response.status, response.headers.get('retry-after') !== null]).toEqual([503, true]);
  expect(await response.json()).toMatchObject({ type: `urn:benchport:problem:${type}`, status: 503 });
});

const ready = (): ServiceState => ({ kind: 'ready', url: 'http://127.0.0.1:7420' });

it('staged paths are recorded when the response passes', async () => {
  handle = (_request, response) => {
    response.end(JSON.stringify({ path: '/stage/a', job: null }));
  };
  const staged = new StagedPaths();
  const ask = serviceRequests(socket, ready, staged, new ChosenPaths());
  const response = await ask(
    new Request('http://local/api/v4/local/measurements/m1/stage', { method: 'POST', body: '{}' }),
  );
  expect(await response.json()).toEqual({ path: '/stage/a', job: null });
  expect(await staged.includes('/stage/a', async () => ({}))).toBe(true);
});

it('E18 the page can name no path that its user has not chosen, in any encoding', async () => {
  const reached: string[] = [];
  handle = (request, response) => {
    void request.toArray().then((parts) => {
      if (request.method === 'GET') {
        response.end(JSON.stringify({ target: '/fetched', schedule: { folder: '/backups', every: 'day', keep: 7 } }));
        return;
      }
      reached.push(`${request.headers['content-type']} ${Buffer.concat(parts as Buffer[]).toString()}`);
      response.end(JSON.stringify({ path: '/real/run' }));
    });
  };
  const chosen = new ChosenPaths();
  const send = serviceRequests(socket, ready, new StagedPaths(), chosen);
  const post = async (route: string, body: object | string, type = 'application/json'): Promise<number> => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return (
      await send(
        new Request(`http://local/api/v4/${route}`, { method: 'POST', headers: { 'content-type': type }, body: sent }),
      )
    ).status;
  };
  const attempts: [string, object | string, string?][] = [
    ['local/registrations', { path: '/home/alice/.ssh', copy: true }],
    ['local/inspect', { path: '/home/alice/.ssh' }],
    ['local/measurements/m1/exports', { directory: '/home/alice/.config/autostart', format: 'folder' }],
    ['local/fetches', { server_id: 1, measurement_id: 'm', what: 'files', target: '/home/alice/.config/autostart' }],
    ['local/backups', { file: '/srv/shared/all.zip' }],
    ['local/backups/schedule', { schedule: { folder: '/srv/shared', every: 'day', keep: 1 } }],
    ['local/data/move', { to: '/srv/shared/data' }],
    // The service decodes addresses and parses forms too; of a repeated name the last value counts.
    ['%6cocal/registrations', { path: '/home/alice/.ssh' }],
    ['local/registrations', 'path=/home/alice/.ssh', 'application/x-www-form-urlencoded'],
    ['local/registrations', '{"path":"/chosen/run","path":"/home/alice/.ssh"}'],
    ['local/fetch-folder?path=/home/alice/.ssh', {}],
  ];
  chosen.note(['/chosen/run']);
  for (const attempt of attempts)
    expect([attempt, [400, 403].includes(await post(...attempt))]).toEqual([attempt, true]);
  expect(reached).toEqual([]);

  expect(await post('local/inspect', '{ "path": "/chosen/run" }', 'text/plain')).toBe(200);
  // The service's resolved path, which may have been chosen through a link, and the paths in its
  // settings.
  expect(await post('local/registrations', { path: '/real/run' })).toBe(200);
  expect(await post('local/fetches', { target: '/fetched' })).toBe(200);
  expect(await post('local/backups/schedule', { schedule: { folder: '/backups', every: 'week', keep: 2 } })).toBe(200);
  expect(reached[0]).toBe('application/json {"path":"/chosen/run"}');
  expect(reached).toHaveLength(4);
});

it("E07 a body with paths is limited to the service's size and to a depth", async () => {
  const reached: string[] = [];
  handle = (request, response) => {
    void request.toArray().then((parts) => {
      reached.push(Buffer.concat(parts as Buffer[]).toString());
      response.end('{}');
    });
  };
  const send = serviceRequests(socket, ready, new StagedPaths(), new ChosenPaths());
  const post = async (body: BodyInit): Promise<number> =>
    (
      await send(
        new Request('http://local/api/v4/local/fetches/actions', {
          method: 'POST',
          body,
          duplex: 'half',
        } as RequestInit),
      )
    ).status;
  const depth = 200_000;
  expect(await post('['.repeat(depth) + ']'.repeat(depth))).toBe(400);
  const mebibyte = 1024 * 1024;
  expect(await post(`{"n":1}${' '.repeat(2 * mebibyte)}`)).toBe(413);
  let pulled = 0;
  const endless = new ReadableStream({
    pull: (stream) => {
      pulled += 1;
      stream.enqueue(new Uint8Array(mebibyte / 4).fill(0x20));
    },
  });
  expect(await post(endless)).toBe(413);
  expect(pulled).toBeLessThan(14);
  expect(reached).toEqual([]);
  // The maximum number of fetches in one request, each with the longest id and title.
  const largest = JSON.stringify({
    measurements: Array.from({ length: 1000 }, () => ({ id: 'ö'.repeat(256), title: '€'.repeat(200) })),
  });
  expect(await post(largest)).toBe(200);
  expect(reached.pop()).toBe(largest);
  // A character may be split between two chunks.
  const text = `{"title":"${'ö'.repeat(100_000)}"}`;
  const whole = new TextEncoder().encode(text);
  const pieces = [whole.subarray(0, 4999), whole.subarray(4999)];
  expect(
    await post(
      new ReadableStream({ pull: (stream) => (pieces.length === 0 ? stream.close() : stream.enqueue(pieces.shift())) }),
    ),
  ).toBe(200);
  expect(reached).toEqual([text]);
});

it('old selections are forgotten', async () => {
  const nobody = async (): Promise<unknown> => ({});
  const chosen = new ChosenPaths();
  chosen.note(Array.from({ length: 10_001 }, (_, number) => `/run/${number}`));
  expect(await chosen.includes(['/run/0'], nobody)).toBe(false);
  expect(await chosen.includes(['/run/1', '/run/10000'], nobody)).toBe(true);
});

it('E20 the socket is in a separate folder that only its owner may enter, however long the preferred path is', async () => {
  const near = await makeSocketPlace('1', folder);
  expect(near.socketPath.startsWith(folder)).toBe(true);
  expect((await fs.stat(path.dirname(near.socketPath))).mode & 0o777).toBe(0o700);
  await near.remove();
  await expect(fs.stat(path.dirname(near.socketPath))).rejects.toThrow('ENOENT');

  for (const unfit of [path.join(folder, 'x'.repeat(90)), path.join(folder, 'missing'), undefined]) {
    const far = await makeSocketPlace('1', unfit);
    expect(path.dirname(path.dirname(far.socketPath))).toBe(os.tmpdir());
    expect(Buffer.byteLength(far.socketPath)).toBeLessThan(100);
    await far.remove();
  }
});
