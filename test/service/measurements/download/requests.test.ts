import { describe, expect, test } from 'vitest';
import { base, bytesOf, small, startDownloadWorld } from './download-world.ts';
import { RawClient } from '../../raw-client.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startDownloadWorld);

describe('the order of checks', () => {
  test.each([
    ['no credential', '/measurements/none/files/x', {}, 401, 'about:blank'],
    ['an unknown token', base, { authorization: `Bearer bppat-${'0'.repeat(38)}` }, 401, 'about:blank'],
    ['a token that is none', base, { authorization: 'Bearer not a token' }, 401, 'about:blank'],
    ['another scheme', base, { authorization: 'Basic YTpi' }, 401, 'about:blank'],
  ])('%s: %s', async (_what, path, headers, status, type) => {
    const response = await fetch(world.service.url + path, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="Benchport"/);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status, type, request_id: response.headers.get('x-request-id') });
  });

  test('scope before existence, existence before access, access before index, index before range', async () => {
    const narrow = await world.service.token(1, ['read_user']);
    const as = (value: string, path: string, range?: string) =>
      fetch(world.service.url + path, {
        headers: { authorization: `Bearer ${value}`, ...(range === undefined ? {} : { range }) },
      }).then((response) => response.status);
    expect(await as(narrow, '/measurements/none')).toBe(403);
    expect(await as(world.stranger, '/measurements/none/files/0')).toBe(404);
    expect(await as(world.stranger, `${base}/files/99`)).toBe(403);
    expect(await as(world.token, `${base}/files/99`, 'bytes=999-')).toBe(404);
    expect(await as(world.token, `${base}/files/0`, 'bytes=999-')).toBe(416);
  });

  test('an expired, a revoked and a doubled token are refused', async () => {
    const expired = await world.service.token(1, ['api'], Date.now() - 1);
    const late = await world.ask(base, { authorization: `Bearer ${expired}` });
    const gone = {
      detail: 'This token is unknown, expired or revoked. Create a new one, or ask the owner of the server.',
    };
    expect([late.status, await late.json()]).toEqual([401, expect.objectContaining(gone)]);
    const revoked = await world.service.token(1);
    const row = (await world.service.services.tokens.ofUser(1))[0];
    await world.service.services.tokens.revoke(row?.id ?? 0);
    world.service.services.changes.bump();
    expect((await world.ask(base, { authorization: `Bearer ${revoked}` })).status).toBe(401);
    expect((await world.ask(base, { 'private-token': world.token })).status).toBe(400);
    const client = await RawClient.open(world.service.url);
    client.get(
      base,
      `Authorization: Bearer ${world.token}`,
      `Authorization: Bearer ${world.token}`,
      'Connection: close',
    );
    await client.drain();
    expect(client.status).toBe(400);
    expect(client.text).toContain(
      'Send one credential: one Authorization header, or one PRIVATE-TOKEN header, not several.',
    );
  });

  test('the token also comes as PRIVATE-TOKEN, and never in the query', async () => {
    expect(
      (await fetch(`${world.service.url}${base}/files`, { headers: { 'private-token': world.token } })).status,
    ).toBe(200);
    expect((await fetch(`${world.service.url}${base}/files?access_token=${world.token}`)).status).toBe(401);
  });

  test('a foreign Host is refused with 421 before anything else', async () => {
    const client = await RawClient.open(world.service.url);
    client.socket.write(
      `GET ${base} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${world.token}\r\nConnection: close\r\n\r\n`,
    );
    await client.drain();
    expect(client.status).toBe(421);
    expect(client.text).toContain(
      'This server does not answer to that host name. Use its base URL, or a loopback address.',
    );
  });

  test.each([
    ['http://evil.example', '127.0.0.1', 421],
    ['http://evil.example', 'evil.example', 421],
    ['http://alice@127.0.0.1', '127.0.0.1', 421],
    ['http://', '127.0.0.1', 421],
    ['http://127.0.0.1', 'evil.example', 200],
    ['HTTP://LocalHost:7420', '127.0.0.1', 200],
  ])('a request for %s with Host %s is judged by the host that it asks for', async (origin, host, status) => {
    for (const path of [`${base}/files/1`, `${base}/files`, '/api/v4/measurements']) {
      const client = await RawClient.open(world.service.url);
      client.socket.write(
        `GET ${origin}${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${world.token}\r\nConnection: close\r\n\r\n`,
      );
      await client.drain();
      expect(client.status).toBe(status);
      if (path.startsWith('/api/')) expect(client.text).toMatch(/^cache-control: no-store\r$/im);
    }
  });
});

describe('ids and indices that are none are 404', () => {
  test.each([
    '..',
    '.',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f',
    'a%00b',
    '%00',
    '-a',
    '_a',
    'a%2fb',
    'a%5cb',
    'a b',
    'a%0ab',
    'a;b',
    'ä',
    'a'.repeat(129),
    'a'.repeat(1000),
  ])('measurement %j', async (id) => {
    const client = await RawClient.open(world.service.url);
    client.get(
      `/measurements/${encodeURI(id).replaceAll('%25', '%')}/files`,
      `Authorization: Bearer ${world.token}`,
      'Connection: close',
    );
    await client.drain();
    expect(client.status).toBe(404);
    expect(client.text).toContain('There is no measurement with this id.');
  });
  test.each([
    '-1',
    '00',
    '01',
    '1e3',
    '+1',
    '1.0',
    '0x0',
    '2147483648',
    '9'.repeat(400),
    '3',
    '%00',
    '0%00',
    ' 0',
    '%200',
    '..%2f0',
    'a',
    '0;',
    '٠',
  ])('index %j', async (index) => {
    const response = await world.ask(`${base}/files/${index}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const detail = 'Measurement NGSQ-1.raw_x has 3 files, counted from 0; there is no file with this index.';
    expect(await response.json()).toMatchObject({ detail });
  });
  test('a URL that cannot be decoded and one that is too long get an answer, and the service goes on', async () => {
    const broken = await world.ask('/measurements/%ff');
    expect([broken.status, await broken.json()]).toEqual([
      400,
      expect.objectContaining({ detail: 'The address has a broken percent-encoding.' }),
    ]);
    const part = await world.ask(`/measurements/${'a'.repeat(2000)}?access_token=secret`);
    expect([part.status, await part.json()]).toEqual([
      414,
      expect.objectContaining({ detail: 'A part of the address is longer than 1024 characters.' }),
    ]);
    const long = await RawClient.open(world.service.url);
    await long.get(`/measurements/${'a'.repeat(20_000)}`).drain();
    expect(long.status).toBe(431);
    const header = await RawClient.open(world.service.url);
    await header.get(base, `Authorization: Bearer ${'a'.repeat(20_000)}`).drain();
    expect(header.text).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    for (const answer of [long, header])
      expect(answer.text).toContain('"The address and headers of a request can have at most 16 KiB together."');
    expect((await world.ask(`${base}/files/0`)).status).toBe(200);
  });
});

describe('methods', () => {
  test.each([base, `${base}/files`, `${base}/files/`, `${base}/files/0`])('%s', async (path) => {
    const options = await fetch(world.service.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await world.ask(path, {}, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    const get = await world.ask(path);
    const body = await bytesOf(get);
    const head = await world.ask(path, { range: 'bytes=1-2' }, 'HEAD');
    expect(head.status).toBe(200);
    expect((await bytesOf(head)).length).toBe(0);
    const without = (response: Response) =>
      Object.fromEntries(
        [...response.headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)),
      );
    expect(without(head)).toEqual(without(get));
    expect(get.headers.get('content-length')).toBe(String(body.length));
  });
});

describe('one connection', () => {
  test('serves several requests sent at once, in order', async () => {
    const client = await RawClient.open(world.service.url);
    const credential = `Authorization: Bearer ${world.token}`;
    client
      .get(`${base}/files/0`, credential, 'Range: bytes=0-4')
      .get(`${base}/files/9`, credential)
      .get(`${base}/files/2`, credential, 'Range: bytes=0-9')
      .get(`${base}/files/0`, credential, 'Connection: close');
    await client.drain();
    expect([...client.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])).toEqual([
      '206',
      '404',
      '206',
      '200',
    ]);
    expect(client.text.endsWith(small.toString())).toBe(true);
  });
});
