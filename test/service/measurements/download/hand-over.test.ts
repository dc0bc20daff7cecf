import { mkdir, mkdtemp, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  internalAddress,
  canDelegateToNginx,
  readInternalLocation,
  withRealFolder,
} from '../../../../src-main/service/measurements/download/x-accel-redirect.ts';
import { addMeasurement, openBeside, type Fixture } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { startFront, type Answer, type Front } from './nginx-front.ts';
import { until } from '../../until.ts';

const size = 200_000;
const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 9)) & 0xff));
// Each is what some step on the way could take for something else.
const odd = [
  'a b.txt',
  'gr\u00fc\u00df.csv',
  '100%25.bin',
  'new\nline',
  'q?x=1&y#z',
  'back\\slash',
  '"quotes"',
  'semi;colon',
  '%2e%2e',
  '...',
  '+plus',
  "it's(1)*",
  '\u65e5\u672c',
];
const files = [
  ...odd.map((name) => ({ path: `sub folder/${name}`, bytes })),
  { path: 'empty', bytes: '' },
  { path: 'small', bytes: 'small' },
];
const names = files.map(({ path: name }) => name).toSorted((a, b) => (a < b ? -1 : 1));

let dir: string;
let service: TestService;
let front: Front;
let fixture: Fixture;
let elsewhere: Fixture;
let token: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-nginx-'));
  const folder = path.join(dir, 'instrument', 'm');
  await mkdir(folder, { recursive: true });
  // Named by a link, as a folder of measurements often is.
  await symlink(folder, path.join(dir, 'link'));
  const place = readInternalLocation(`/benchport-files/=${dir}/link`);
  service = await startTestService({
    baseUrl: 'https://bench.lab.example',
    trustedProxies: ['127.0.0.1'],
    internalLocations: [place],
  });
  const alice = await service.user('alice');
  token = await service.token(alice);
  // Registered after the files were last written, as it is with instruments.
  fixture = await addMeasurement({ ...service, dir }, alice, 'm', files, Date.now() + 60_000);
  elsewhere = await addMeasurement({ ...service, dir }, alice, 'elsewhere', [{ path: 'a', bytes }]);
  front = await startFront(dir, service.port, path.join(dir, 'link'));
});
afterAll(async () => {
  await front.end();
  await service.end();
  await rm(dir, { recursive: true });
});

const indexOf = (name: string): number => names.indexOf(name);
const at = (name: string): string => `/measurements/m/files/${indexOf(name)}`;
const plain = at('sub folder/a b.txt');
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  front.ask(url, { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip', ...headers }, method);

/** The same request without nginx before it. */
async function askDirectly(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${service.port}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'accept-encoding': 'identity',
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      ...headers,
    },
  });
  return response;
}

const rows = () => {
  const database = openBeside(service);
  try {
    return database
      .prepare<[], { outcome: string; status: number; range: string | null; bytes_sent: number; address: string }>(
        'SELECT * FROM transfers ORDER BY id',
      )
      .all();
  } finally {
    database.close();
  }
};

/** The rows of what was asked since there were so many. */
async function rowsSince(before: number, count: number) {
  await until(
    () => rows().length === before + count && rows().every(({ outcome }) => outcome !== null),
    `${count} rows`,
  );
  return rows().slice(before);
}

/** Headers that say what is sent; without those of the connection, and of the program that sends. */
const telling = (headers: Iterable<readonly [string, string]>) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['connection', 'keep-alive', 'date', 'server', 'x-request-id', 'transfer-encoding'].includes(name),
    ),
  );
const named = (answer: Answer): [string, string][] =>
  Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);

describe('nginx sends what the guide lets it send', () => {
  test('files of any name, as we would', async () => {
    const before = rows().length;
    for (const name of odd) {
      const url = at(`sub folder/${name}`);
      const answer = await ask(url);
      expect([name, answer.status, answer.body.equals(bytes)]).toEqual([name, 200, true]);
      const directly = await askDirectly(url, {}, 'HEAD');
      expect(telling(named(answer))).toEqual(telling(directly.headers));
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      // None stands there twice.
      const lines = answer.raw.filter((_, i) => i % 2 === 0).map((line) => line.toLowerCase());
      expect(lines).toEqual([...new Set(lines)]);
    }
    expect(new Set((await rowsSince(before, odd.length)).map(({ outcome }) => outcome))).toEqual(
      new Set(['handed-over']),
    );
  });

  test('single ranges, as we would', async () => {
    const before = rows().length;
    const ranges = [
      'bytes=0-99999',
      'bytes=100000-',
      'bytes=-70000',
      'bytes=5-5000000',
      'bytes=-5000000',
      'bytes=000-099999',
    ];
    for (const range of ranges) {
      const answer = await ask(plain, { range });
      const directly = await askDirectly(plain, { range, 'if-match': '*' });
      expect([answer.status, directly.status]).toEqual([206, 206]);
      expect(answer.body.equals(Buffer.from(await directly.arrayBuffer()))).toBe(true);
      expect(telling(named(answer))).toEqual(telling(directly.headers));
    }
    const ended = await rowsSince(before, 2 * ranges.length);
    expect(ended.filter(({ outcome }) => outcome === 'handed-over')).toEqual(
      ranges.map(
        (range) => expect.objectContaining({ status: 206, range, bytes_sent: 0, address: '127.0.0.1' }) as unknown,
      ),
    );
  });

  test('a range with If-Range, by our tag and by our date', async () => {
    const { headers } = await ask(plain, {}, 'HEAD');
    const [etag = '', modified = ''] = [headers.etag, headers['last-modified']];
    const before = rows().length;
    for (const [condition, status] of [
      [etag, 206],
      [modified, 206],
      ['"another"', 200],
      [`W/${etag}`, 200],
      ['Tue, 01 Sep 2020 10:20:31 GMT', 200],
    ] as const) {
      const answer = await ask(plain, { range: 'bytes=0-99999', 'if-range': condition });
      expect([condition, answer.status, answer.body.length]).toEqual([
        condition,
        status,
        status === 206 ? 100_000 : size,
      ]);
    }
    expect((await rowsSince(before, 5)).map(({ outcome, status }) => [outcome, status])).toEqual(
      [206, 206, 200, 200, 200].map((status) => ['handed-over', status]),
    );
  });

  test('conditions are ours to answer, and do not keep nginx from sending', async () => {
    const { headers } = await ask(plain, {}, 'HEAD');
    const [etag = '', modified = ''] = [headers.etag, headers['last-modified']];
    const { mtime } = await stat(path.join(fixture.root, 'sub folder', 'a b.txt'));
    const theirs = `"${Math.floor(mtime.getTime() / 1000).toString(16)}-${size.toString(16)}"`;
    const before = rows().length;
    for (const [condition, status] of [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-match': '"another"' }, 412],
      [{ range: `bytes=${size}-` }, 416],
      [{ 'if-none-match': '"another"' }, 200],
      // The time of the file and what nginx makes of it, by which it must not go.
      [{ 'if-modified-since': mtime.toUTCString() }, 200],
      [{ 'if-none-match': theirs }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-unmodified-since': modified }, 200],
    ] as const) {
      const answer = await ask(plain, condition);
      expect([condition, answer.status]).toEqual([condition, status]);
      if (status === 304) expect([answer.headers.etag, answer.body.length]).toEqual([etag, 0]);
      if (status === 416) expect(answer.headers['content-range']).toBe(`bytes */${size}`);
      if (status === 200) expect(answer.body.equals(bytes)).toBe(true);
    }
    expect((await rowsSince(before, 5)).map(({ outcome }) => outcome)).toEqual([
      'handed-over',
      'handed-over',
      'handed-over',
      'complete',
      'complete',
    ]);
  });

  test('everything else is sent by the service', async () => {
    const before = rows().length;
    for (const [url, headers, status] of [
      [at('empty'), {}, 200],
      [at('small'), {}, 200],
      [plain, { range: 'bytes=0-99' }, 206],
      [plain, { range: 'bytes=0-70000,80000-199999' }, 206],
      [plain, { range: 'bytes=5-2' }, 200],
      ['/measurements/m', {}, 200],
      ['/measurements/m/files', {}, 200],
      ['/measurements/elsewhere/files/0', {}, 200],
    ] as const) {
      expect([url, (await ask(url, headers)).status]).toEqual([url, status]);
    }
    expect((await rowsSince(before, 8)).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 8 }, () => 'complete'),
    );
    const head = await ask(plain, { range: 'bytes=0-99999' }, 'HEAD');
    expect([head.status, head.headers['content-length'], head.headers['x-accel-redirect']]).toEqual([
      200,
      String(size),
      undefined,
    ]);
  });
});

describe('other requests are not delegated', () => {
  test('who has no access, through nginx, and who asks for its location by name', async () => {
    expect((await front.ask(plain)).status).toBe(401);
    expect((await ask('/benchport-files/sub%20folder/a%20b.txt')).status).toBe(404);
    // A client cannot hand itself a file either.
    expect(
      (await ask('/-/health', { 'x-accel-redirect': '/benchport-files/small' })).headers['content-type'],
    ).toContain('json');
  });

  test('who comes from an address that is not trusted', async () => {
    const other = await startTestService({
      trustedProxies: ['192.0.2.1'],
      internalLocations: [{ prefix: '/benchport-files/', folder: '/' }],
    });
    try {
      const alice = await other.user('alice');
      await addMeasurement(other, alice, 'm', [{ path: 'a', bytes }]);
      const headers = { authorization: `Bearer ${await other.token(alice)}`, 'x-forwarded-for': '192.0.2.1' };
      const answer = await fetch(`${other.url}/measurements/m/files/0`, { headers });
      expect([answer.headers.get('x-accel-redirect'), (await answer.arrayBuffer()).byteLength]).toEqual([null, size]);
    } finally {
      await other.end();
    }
  });

  test('a file that is no longer the one registered, a link to another among them', async () => {
    const file = path.join(fixture.root, 'sub folder', '...');
    await unlink(file);
    await symlink(path.join(elsewhere.root, 'a'), file);
    expect((await ask(at('sub folder/...'))).status).toBe(409);
    await unlink(file);
    await writeFile(file, Buffer.alloc(bytes.length));
    await utimes(file, 1, 1);
    let answer = await ask(at('sub folder/...'));
    // It is compared first.
    await until(async () => {
      if (answer.status === 503) answer = await ask(at('sub folder/...'));
      return answer.status !== 503;
    }, 'the file is compared');
    expect(answer.status).toBe(409);
    await unlink(file);
    expect((await ask(at('sub folder/...'))).status).toBe(409);
  });
});

test('an internal location is read strictly, and its folder has to be there', () => {
  expect(readInternalLocation('/files=/srv')).toEqual({ prefix: '/files/', folder: '/srv/' });
  for (const text of ['/files/', '=/srv', 'files=/srv', '/=/srv', '/a b/=/srv', '/files/?x=/srv', '/files/=srv']) {
    expect(() => readInternalLocation(text), text).toThrow();
  }
  expect(() => withRealFolder({ prefix: '/files/', folder: '/nowhere/at/all/' })).toThrow(
    'There is no folder /nowhere/at/all/',
  );
});

test('an address stays within its location', () => {
  const places = [{ prefix: '/f/', folder: '/srv/m/' }];
  expect(internalAddress(places, '/srv/m/a b/%2e/\u00fc?')).toBe('/f/a%20b/%252e/%C3%BC%3F');
  for (const file of ['/srv/mm/a', '/srv/m', '/srv/m/../x', '/srv/m/./x', '/srv/m//x', '/etc/passwd', '/srv/m/\ud800'])
    expect(internalAddress(places, file), file).toBeNull();
  expect(canDelegateToNginx({}, 64 * 1024)).toBe(false);
  expect(canDelegateToNginx({}, 64 * 1024 + 1)).toBe(true);
});
