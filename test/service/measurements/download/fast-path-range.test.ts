import { rename, stat, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endWithRawHead } from '../../../../src-main/service/measurements/content/raw-response.ts';
import { addMeasurement, changeSeen, openBeside, type Fixture } from '../../fixture-measurement.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { bytes, length, lines, raw, read, shape } from './fast-path-range-world.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

// Responses of both paths are equal, so the test counts the last step of the fast path.
vi.mock('../../../../src-main/service/measurements/content/raw-response.ts', async (importOriginal) => {
  const real = await importOriginal<{ endWithRawHead: typeof endWithRawHead }>();
  return { endWithRawHead: vi.fn(real.endWithRawHead) };
});
const quick = vi.mocked(endWithRawHead);

const atMost = 64 * 1024;
const service = useTestService({ transferLimits: { perUser: 3 } });
const alice = useUser(service, 'alice');
let number = 0;

beforeEach(() => void quick.mockClear());

/** A measurement whose file has been asked for once, so that it is open and everything about it at hand. */
async function opened(who = alice.token): Promise<Fixture & { readonly url: string; readonly file: string }> {
  number += 1;
  const fixture = await addMeasurement(service, alice.id, `q${number}`, [{ path: 'dir/käse.bin', bytes }]);
  const url = `/measurements/q${number}/files/0`;
  await until(async () => {
    await one(url, 'Range: bytes=0-9', `Authorization: Bearer ${who}`);
    return quick.mock.calls.length > 0;
  }, 'everything at hand');
  quick.mockClear();
  return { ...fixture, url, file: path.join(fixture.root, 'dir/käse.bin') };
}

const one = (url: string, ...headers: readonly string[]) => raw(service.url, lines(url, headers));
const bearer = (who = alice.token) => `Authorization: Bearer ${who}`;

describe('a small range of a file that is at hand', () => {
  test.each([
    ['the beginning', 0, 0],
    ['the middle', 70_001, 70_001 + atMost - 1],
    ['the end', length - 5, length - 1],
    ['past the end', length - 5, length + 1000],
  ])('%s: has the head and the bytes of the ordinary path', async (_what, first, last) => {
    const { url } = await opened();
    const range = `Range: bytes=${first}-${last}`;
    const fast = await one(url, range, bearer(), 'User-Agent: test', 'Accept: */*');
    expect(quick).toHaveBeenCalledTimes(1);
    const ordinary = await one(url, range, bearer(), 'User-Agent: test', 'X-Unknown: 1');
    expect(quick).toHaveBeenCalledTimes(1);
    expect(fast.status).toBe(206);
    expect(shape(fast.head)).toBe(shape(ordinary.head));
    expect(fast.head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(Math.abs(Date.parse(/\r\nDate: ([^\r]+)/.exec(fast.head)?.[1] ?? '') - Date.now())).toBeLessThan(3000);
    expect(fast.body.equals(ordinary.body) && fast.body.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test('is sent when If-Range has its entity tag', async () => {
    const { url } = await opened();
    const etag = /\r\nETag: ([^\r]+)/.exec((await one(url, 'Range: bytes=0-0', bearer())).head)?.[1] ?? '';
    quick.mockClear();
    expect((await one(url, 'Range: bytes=1-2', bearer(), `If-Range: ${etag}`)).status).toBe(206);
    expect(quick).toHaveBeenCalledTimes(1);
    expect((await one(url, 'Range: bytes=1-2', bearer(), 'If-Range: "another"')).status).toBe(200);
    expect(quick).toHaveBeenCalledTimes(1);
  });

  test('keeps its turn among pipelined answers, and the connection', async () => {
    const { url } = await opened();
    const client = await RawClient.open(service.url);
    const asked = [
      [10, 19, ''],
      [20, 29, 'X-Unknown: 1'],
      [30, 39, ''],
      [40, 49, ''],
    ] as const;
    client.socket.write(
      asked
        .map(([first, last, more]) =>
          lines(url, [`Range: bytes=${first}-${last}`, bearer(), ...(more === '' ? [] : [more])]),
        )
        .join(''),
    );
    await until(
      () => client.text.split('HTTP/1.1 206').length === 5 && client.text.includes(`bytes 40-49/${length}`),
      'four answers',
    );
    let text = client.text;
    for (const [first, last] of asked) {
      const answer = read(text);
      expect(answer.head).toContain(`Content-Range: bytes ${first}-${last}/${length}`);
      expect(answer.body.equals(bytes.subarray(first, last + 1))).toBe(true);
      text = answer.rest;
    }
    expect((await raw(service.url, lines(url, ['Range: bytes=5-6', bearer()]), client)).status).toBe(206);
    client.socket.destroy();
  });

  test('has its row in the audit trail and counts as a request and a use of the token', async () => {
    const admin = await service.token(await service.user('admin', true));
    const counted = async () => {
      const text = await (
        await fetch(`${service.url}/-/metrics`, { headers: { authorization: `Bearer ${admin}` } })
      ).text();
      return Number(/^benchport_http_requests_total\{method="GET",status="2xx"\} (\d+)$/m.exec(text)?.[1]);
    };
    const { url, id } = await opened();
    const before = await counted();
    await one(url, 'Range: bytes=100-299', bearer(), 'User-Agent: reader/1.0');
    expect(quick).toHaveBeenCalledTimes(1);
    // The reading of the numbers before is counted too.
    expect((await counted()) - before).toBe(2);
    const beside = openBeside(service);
    const row = beside.prepare(
      'SELECT transfers.*, text AS user_agent FROM transfers LEFT JOIN user_agents ON user_agents.id = user_agent_id WHERE measurement_id = ? AND range = ?',
    );
    await until(() => row.get(id, 'bytes=100-299') !== undefined, 'the row');
    expect(row.get(id, 'bytes=100-299')).toMatchObject({
      user_id: alice.id,
      address: '127.0.0.1',
      what: 'file',
      file_index: 0,
      status: 206,
      bytes_sent: 200,
      outcome: 'complete',
      user_agent: 'reader/1.0',
    });
    beside.close();
  });

  test('H2: is answered while long downloads take all places of its user', async () => {
    const { url } = await opened();
    const big = await addMeasurement(service, alice.id, 'big', [
      { path: 'big.bin', bytes: Buffer.alloc(32 * 1024 * 1024) },
    ]);
    const clients = await Promise.all([1, 2, 3].map(() => RawClient.open(service.url)));
    for (const client of clients) {
      client.get(`/measurements/${big.id}/files/0`, bearer());
      await client.until(1);
      client.pause();
    }
    expect((await one(`/measurements/${big.id}/files/0`, bearer())).status).toBe(429);
    expect((await one(url, 'Range: bytes=0-9', bearer())).status).toBe(206);
    for (const client of clients) client.socket.destroy();
  });
});

describe('the very next request is refused', () => {
  test('when the token is revoked, and when the user is blocked by another process', async () => {
    const mallory = await service.user('mallory', true);
    const [first, second] = [await service.token(mallory), await service.token(mallory)];
    const { url } = await opened(first);
    await one(url, 'Range: bytes=0-9', bearer(second));
    await service.services.tokens.revoke((await service.services.tokens.ofUser(mallory)).at(-1)?.id ?? 0);
    await service.services.tokens.revoke((await service.services.tokens.ofUser(mallory)).at(0)?.id ?? 0);
    service.services.changes.bump();
    expect((await one(url, 'Range: bytes=0-9', bearer(first))).status).toBe(401);
    expect((await one(url, 'Range: bytes=0-9', bearer(second))).status).toBe(401);
    const third = await service.token(mallory);
    const again = await opened(third);
    const beside = openBeside(service);
    beside.prepare("UPDATE users SET state = 'blocked' WHERE id = ?").run(mallory);
    beside.close();
    await changeSeen(service);
    expect((await one(again.url, 'Range: bytes=0-9', bearer(third))).status).toBe(401);
  });

  test('when the grant is taken back', async () => {
    const bob = await service.user('bob');
    const bobs = await service.token(bob);
    const { id, url } = await opened();
    const grant = await service.services.grants.grant(id, { userId: bob }, null, alice.id);
    service.services.changes.bump();
    for (let i = 0; i < 3; i += 1) expect((await one(url, 'Range: bytes=0-9', bearer(bobs))).status).toBe(206);
    expect(quick).toHaveBeenCalled();
    await service.services.grants.revoke(id, grant.id);
    service.services.changes.bump();
    expect((await one(url, 'Range: bytes=0-9', bearer(bobs))).status).toBe(403);
  });

  test.each<[string, number, (file: string) => Promise<unknown>]>([
    ['truncated', 409, (file) => truncate(file, length - 1)],
    ['removed', 404, (file) => unlink(file)],
  ])('when the file is %s', async (_how, status, change) => {
    const { url, file } = await opened();
    await change(file);
    expect((await one(url, 'Range: bytes=0-9', bearer())).status).toBe(status);
    expect(quick).not.toHaveBeenCalled();
  });

  test('M2: when it was replaced by other bytes of the same size and time', async () => {
    const { url, file } = await opened();
    const { atimeNs, mtimeNs } = await stat(file, { bigint: true });
    await writeFile(`${file}.new`, Buffer.alloc(length, 7));
    // Whole seconds are what utimes takes exactly; the registration knows nanoseconds, so the row is brought to them.
    await utimes(`${file}.new`, Number(atimeNs / 1_000_000_000n), Number(mtimeNs / 1_000_000_000n));
    const beside = openBeside(service);
    beside
      .prepare('UPDATE measurement_files SET mtime_ns = ? WHERE measurement_id = ?')
      .run(String((mtimeNs / 1_000_000_000n) * 1_000_000_000n), url.split('/')[2]);
    beside.close();
    await utimes(file, Number(atimeNs / 1_000_000_000n), Number(mtimeNs / 1_000_000_000n));
    for (let i = 0; i < 3; i += 1)
      expect((await one(url, 'Range: bytes=0-9', bearer())).body.equals(bytes.subarray(0, 10))).toBe(true);
    expect(quick).toHaveBeenCalled();
    await rename(`${file}.new`, file);
    expect((await one(url, 'Range: bytes=0-9', bearer())).status).toBe(409);
  });
});

describe('every other form takes the ordinary path', () => {
  const range = 'Range: bytes=0-9';
  const forms: readonly (readonly [string, number, (url: string) => string])[] = [
    ['HEAD', 200, (url) => lines(url, [range, bearer()]).replace('GET', 'HEAD')],
    ['HTTP/1.0', 206, (url) => lines(url, [range, bearer()]).replace('HTTP/1.1', 'HTTP/1.0')],
    ['the end of the connection', 206, (url) => lines(url, [range, bearer(), 'Connection: close'])],
    ['no range', 200, (url) => lines(url, [bearer()])],
    ['an open range', 206, (url) => lines(url, ['Range: bytes=199990-', bearer()])],
    ['a suffix', 206, (url) => lines(url, ['Range: bytes=-5', bearer()])],
    ['two ranges', 206, (url) => lines(url, ['Range: bytes=0-1,5-6', bearer()])],
    ['a range backwards', 200, (url) => lines(url, ['Range: bytes=9-0', bearer()])],
    ['a range behind the end', 416, (url) => lines(url, [`Range: bytes=${length}-${length + 5}`, bearer()])],
    ['more than fits into a small buffer', 206, (url) => lines(url, [`Range: bytes=0-${atMost}`, bearer()])],
    ['a condition that holds', 206, (url) => lines(url, [range, bearer(), 'If-Match: *'])],
    ['a condition that does not', 304, (url) => lines(url, [range, bearer(), 'If-None-Match: *'])],
    ['two Range headers', 200, (url) => lines(url, [range, 'Range: bytes=3-4', bearer()])],
    ['two hosts', 400, (url) => lines(url, [range, bearer(), 'Host: rebound.example'])],
    ['two credentials', 400, (url) => lines(url, [range, bearer(), bearer()])],
    ['two kinds of credential', 400, (url) => lines(url, [range, bearer(), `PRIVATE-TOKEN: x`])],
    ['no credential', 401, (url) => lines(url, [range])],
    ['another token', 401, (url) => lines(url, [range, `${bearer()}x`])],
    ['another host', 421, (url) => lines(url, [range, bearer()]).replace('127.0.0.1', 'rebound.example')],
    ['a slash at the end', 206, (url) => lines(`${url}/`, [range, bearer()])],
    ['a query', 206, (url) => lines(`${url}?a=1`, [range, bearer()])],
    ['an index with zeros before it', 404, (url) => lines(`${url}0`, [range, bearer()])],
    ['another index', 404, (url) => lines(url.replace('/files/0', '/files/1'), [range, bearer()])],
  ];
  test.each(forms)('%s', async (_what, status, request) => {
    const { url } = await opened();
    expect((await raw(service.url, request(url))).status).toBe(status);
    expect(quick).not.toHaveBeenCalled();
  });
});
