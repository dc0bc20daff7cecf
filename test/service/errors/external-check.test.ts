import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '../../../src-main/service/accounts/create-user.ts';
import type { ExternalProject } from '../../../src-main/service/contract/errors.ts';
import { browserAt } from '../accounts/browser.ts';
import { startProjectService, type ApiAnswer, type ProjectService } from './project-fixture.ts';
import { sendJson, startDouble, type Double, type Seen } from './sentry-double.ts';

let service: ProjectService;
let sentry: Double;
let elsewhere: Double;
beforeAll(async () => {
  service = await startProjectService();
});
afterAll(() => service.end());
beforeEach(async () => {
  [sentry, elsewhere] = [await startDouble(), await startDouble()];
});
afterEach(async () => {
  await sentry.end();
  await elsewhere.end();
});

const token = 'sntrys_a-very-secret-token';
const check = async (host: string, with_ = token, by: 'maintainer' | 'developer' | 'outsider' = 'maintainer'): Promise<ApiAnswer> =>
  service.as[by]('GET', `/lab/qmr/-/error_tracking/projects.json?${new URLSearchParams({ api_host: host, token: with_ }).toString()}`);
const kindOf = ({ body }: ApiAnswer) => (body as { readonly type?: string }).type;
const failed = (kind: string, words: RegExp) => ({
  status: 400,
  body: { type: `urn:benchport:problem:external-${kind}`, message: expect.stringMatching(words) as string },
});

const lab = { id: '7', slug: 'lab', name: 'The lab' };
const bench = { id: '12', slug: 'bench', name: 'Bench', status: 'active' };
const expected: ExternalProject = {
  id: '12',
  name: 'Bench',
  slug: 'bench',
  status: 'active',
  organization_id: '7',
  organization_name: 'The lab',
  organization_slug: 'lab',
};
/** The API of today: by organisation alone. */
const modern = ({ path: address }: Seen, response: Parameters<Double['answer']>[1]) => {
  if (address === '/api/0/organizations/') sendJson(response, [lab]);
  else if (address === '/api/0/organizations/lab/projects/') sendJson(response, [bench]);
  else response.writeHead(404).end();
};
/** The API that GitLab knows: one list of all projects. */
const older = ({ path: address }: Seen, response: Parameters<Double['answer']>[1]) => {
  if (address === '/api/0/projects/') sendJson(response, [{ ...bench, organization: lab }]);
  else response.writeHead(404).end();
};

describe('the connection check', () => {
  test('lists the projects of a server of today, and of an older one', async () => {
    sentry.answer = modern;
    const answer = await check(sentry.origin);
    expect(answer).toMatchObject({ status: 200, body: { projects: [expected] } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const { headers, method } of sentry.seen) {
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect([method, headers['private-token'], headers.cookie]).toEqual(['GET', undefined, undefined]);
    }
    sentry.answer = older;
    for (const host of [sentry.origin, `${sentry.origin}/`, `${sentry.origin}/api/0/projects/`, ` ${sentry.origin} `]) {
      expect(await check(host), host).toMatchObject({ status: 200, body: { projects: [expected] } });
    }
    sentry.answer = (one, response) => older({ ...one, path: one.path.replace('/prefix/', '/') }, response);
    expect((await check(`${sentry.origin}/prefix/api/0/projects/lab/bench/`)).status).toBe(200);
    expect(sentry.seen.at(-1)?.path).toBe('/prefix/api/0/projects/');
  });

  test('goes on to the older list when the token may not list organisations', async () => {
    for (const status of [401, 403, 500]) {
      sentry.answer = (one, response) => (one.path === '/api/0/organizations/' ? void response.writeHead(status).end() : older(one, response));
      expect(await check(sentry.origin)).toMatchObject({ status: 200, body: { projects: [expected] } });
    }
  });

  test('follows pages by their cursor, on its own server', async () => {
    sentry.answer = (one, response) => {
      if (one.path !== '/api/0/projects/') return void response.writeHead(404).end();
      const first = one.query.get('cursor') === null;
      const link = (cursor: string, results: boolean) =>
        `<${elsewhere.origin}/api/0/projects/?cursor=${cursor}>; rel="next"; results="${results}"; cursor="${cursor}"`;
      return sendJson(response, [{ ...bench, slug: first ? 'one' : 'two', organization: lab }], { link: link(first ? '0:100:0' : '0:200:0', first) });
    };
    const { body } = await check(sentry.origin);
    expect((body as { projects: ExternalProject[] }).projects.map(({ slug }) => slug)).toEqual(['one', 'two']);
    expect(elsewhere.seen).toEqual([]);
  });

  test('a server without projects is a connection all the same', async () => {
    sentry.answer = (one, response) => (one.path === '/api/0/projects/' ? sendJson(response, []) : void response.writeHead(404).end());
    expect(await check(sentry.origin)).toMatchObject({ status: 200, body: { projects: [] } });
  });

  test('is a 404 while Monitor is off, and asks nobody', async () => {
    await service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: false });
    sentry.answer = modern;
    expect((await check(sentry.origin)).status).toBe(404);
    expect(sentry.seen).toEqual([]);
    await service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: true });
    expect((await check(sentry.origin)).status).toBe(200);
  });

  test('is for maintainers with the scope api, and asks nobody for others', async () => {
    sentry.answer = modern;
    expect((await check(sentry.origin, token, 'developer')).status).toBe(403);
    expect(await check(sentry.origin, token, 'outsider')).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
    const query = `?api_host=${encodeURIComponent(sentry.origin)}&token=${token}`;
    expect((await service.with(null)('GET', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(401);
    const reading = service.with(await service.token(service.userIds.owner, ['read_api']));
    expect((await reading('GET', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(403);
    expect((await service.as.owner('GET', `/lab/nowhere/-/error_tracking/projects.json${query}`)).status).toBe(404);
    expect((await service.as.owner('GET', `/${service.projectId}/-/error_tracking/projects.json${query}`)).status).toBe(404);
    expect(sentry.seen).toEqual([]);
    expect((await service.as.owner('GET', `/LAB/qmr/-/error_tracking/projects.json${query}`)).status).toBe(200);
    expect((await service.as.owner('POST', `/lab/qmr/-/error_tracking/projects.json${query}`)).status).toBe(405);
  });
});

describe('a signed-in browser', () => {
  test('may try a connection from our pages, and not because a page elsewhere makes it', async () => {
    const wish = { username: 'alice', name: 'Alice', email: null, password: 'a long password of alice', isAdmin: false };
    const { id } = await createUser(service.services, wish, null);
    await service.services.projects.setMember(service.projectId, id, 'maintainer');
    const browser = browserAt(service);
    expect((await browser.signIn('alice', wish.password)).status).toBe(303);
    sentry.answer = modern;
    const query = new URLSearchParams({ api_host: sentry.origin, token }).toString();
    const ask = async (headers: Record<string, string>) => (await browser.get(`/lab/qmr/-/error_tracking/projects.json?${query}`, headers)).status;
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }])
      expect(await ask(headers)).toBe(403);
    expect(sentry.seen).toEqual([]);
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  });
});

describe('why it does not work is told apart', () => {
  test('a name that is not there', async () => {
    expect(await check('https://no-such-host.invalid')).toMatchObject(failed('name-not-found', /No host named no-such-host\.invalid/));
  });

  test('a closed port', async () => {
    const { origin } = sentry;
    await sentry.end();
    expect(await check(origin)).toMatchObject(failed('refused', /refuses connections/));
    sentry = await startDouble();
  });

  test('a certificate that nobody trusts, and TLS where there is none', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-tls-'));
    const [key, cert] = [path.join(dir, 'key.pem'), path.join(dir, 'cert.pem')];
    await promisify(execFile)('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ]);
    const files = { key: await readFile(key), cert: await readFile(cert) };
    const secure = await startDouble((listener) => createServer(files, listener));
    try {
      secure.answer = modern;
      expect(await check(secure.origin)).toMatchObject(failed('tls', /not trusted.*NODE_EXTRA_CA_CERTS/));
      expect(secure.seen).toEqual([]);
      expect(await check(sentry.origin.replace('http:', 'https:'))).toMatchObject(failed('tls', /does not answer with TLS/));
      expect((await check(secure.origin.replace('https:', 'http:'))).status).toBe(400);
    } finally {
      await secure.end();
      await rm(dir, { recursive: true });
    }
  });

  test('no answer in time, also one that never ends', async () => {
    const dripping: NodeJS.Timeout[] = [];
    elsewhere.answer = (_one, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      dripping.push(setInterval(() => response.write(' '), 200));
    };
    sentry.answer = () => undefined;
    const begun = Date.now();
    const [silent, slow] = await Promise.all([check(sentry.origin), check(elsewhere.origin)]);
    dripping.forEach(clearInterval);
    expect(silent).toMatchObject(failed('timeout', /did not answer in time/));
    expect(slow).toMatchObject(failed('timeout', /did not answer in time/));
    expect(Date.now() - begun).toBeLessThan(15_000);
  });

  test.each([
    [401, 'token-refused', /does not accept the auth token/],
    [403, 'forbidden', /project:read, event:read and event:write/],
    [404, 'not-sentry', /not the interface of Sentry/],
    [429, 'limited', /429/],
    [500, 'status', /status 500/],
    [204, 'not-sentry', /not the interface of Sentry/],
  ] as const)('the status %i', async (status, kind, words) => {
    sentry.answer = (_one, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(status === 204 ? undefined : '<p>No</p>');
    expect(await check(sentry.origin)).toMatchObject(failed(kind, words));
  });

  test.each([
    ['a page', '<!doctype html><title>Welcome</title>'],
    ['another JSON', '{"hello":"world"}'],
    ['a list of other things', '[{"name":"x"}, 3, null]'],
    ['nothing', ''],
    ['half a list', '[{"id":"1"'],
  ])('%s is no Sentry', async (_what, text) => {
    sentry.answer = (_one, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    const answer = await check(sentry.origin);
    expect(answer).toMatchObject(failed('not-sentry', /not the interface of Sentry/));
    expect(JSON.stringify(answer.body)).not.toContain('Welcome');
  });

  test('a redirect, which is not followed, wherever it leads', async () => {
    elsewhere.answer = modern;
    for (const [status, location] of [
      [301, `${elsewhere.origin}/api/0/organizations/`],
      [302, '/login'],
      [307, `${elsewhere.origin}/`],
      [308, 'http://['],
    ] as const) {
      sentry.answer = (_one, response) => void response.writeHead(status, { location }).end();
      const answer = await check(sentry.origin);
      expect(answer).toMatchObject(failed('redirect', /not followed/));
    }
    expect(elsewhere.seen).toEqual([]);
    expect(sentry.seen.length).toBe(4);
  });

  test('more than 1 MiB, which is not read to its end', async () => {
    let stopped = false;
    sentry.answer = (_one, response) => {
      const piece = Buffer.alloc(65_536, 0x20);
      response.writeHead(200, { 'content-type': 'application/json' }).on('close', () => {
        stopped = true;
      });
      const pour = (): void => {
        while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', pour);
      };
      pour();
    };
    expect(await check(sentry.origin)).toMatchObject(failed('too-large', /more than 1 MiB/));
    await expect.poll(() => stopped).toBe(true);
  });

  test.each([
    ['something else than a web server', 'SSH-2.0-OpenSSH_9.6\r\n', 'not-sentry', /not the interface of Sentry/],
    ['one that hangs up', null, 'disconnected', /ended the connection/],
  ] as const)('%s', async (_what, greeting, kind, words) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      if (greeting === null) socket.destroy();
      else socket.end(greeting);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(await check(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`)).toMatchObject(failed(kind, words));
    server.close();
  });

  test.each(['', 'http://user:password@sentry.example', 'ftp://sentry.example', 'http://', 'https://sentry.example/?x=1', `https://${'x'.repeat(300)}`])(
    'the address %j',
    async (host) => expect((await check(host)).status).toBe(400),
  );

  test('a token that cannot be one', async () => {
    for (const wrong of ['a b', 'a\r\nx-evil: 1', 'ü']) expect(kindOf(await check(sentry.origin, wrong))).toBe('urn:benchport:problem:external-token-refused');
    expect(sentry.seen).toEqual([]);
  });
});

describe('the token that is kept', () => {
  const keep = async (origin: string) =>
    service.as.maintainer('PUT', '/api/v4/projects/lab%2Fqmr/error_tracking/settings', {
      active: true,
      integrated: false,
      api_url: `${origin}/api/0/projects/lab/bench`,
      token,
    });

  test('serves for checking its own server, and is sent nowhere else', async () => {
    await keep(sentry.origin);
    sentry.answer = modern;
    elsewhere.answer = modern;
    for (const masked of ['', '********']) {
      expect((await check(sentry.origin, masked)).status).toBe(200);
      expect(sentry.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
      expect(await check(elsewhere.origin, masked)).toMatchObject(failed('token-missing', /is sent nowhere else/));
      expect(await check(sentry.origin.replace('127.0.0.1', 'localhost'), masked)).toMatchObject(failed('token-missing', /is sent nowhere else/));
    }
    expect(elsewhere.seen).toEqual([]);
  });

  test('is not another project’s', async () => {
    await keep(sentry.origin);
    const other = await service.services.projects.create('lab/other', 'Other');
    const query = new URLSearchParams({ api_host: sentry.origin, token: '***' }).toString();
    expect(await service.as.steward('GET', `/lab/other/-/error_tracking/projects.json?${query}`)).toMatchObject(
      failed('token-missing', /Enter the auth token/),
    );
    // Not even when its row is put there: it is sealed for its project and its origin.
    const row = await service.services.errorSettings.of(service.projectId);
    if (!row || !other) throw new Error('no row');
    await service.services.errorSettings.put({ ...row, project_id: other.id });
    expect((await service.as.steward('GET', `/lab/other/-/error_tracking/projects.json?${query}`)).status).toBe(400);
    await service.services.errorSettings.put({ ...row, api_url: `${elsewhere.origin}/api/0/projects/lab/bench` });
    expect((await check(elsewhere.origin, '')).status).toBe(400);
    expect([...sentry.seen, ...elsewhere.seen]).toEqual([]);
  });
});
