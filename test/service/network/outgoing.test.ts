import { beforeAll, describe, expect, test } from 'vitest';
import type { OutgoingTransfer, PastTransfer } from '../../../src-main/service/contract/sharing.ts';
import { addMeasurement, openBeside } from '../fixture-measurement.ts';
import { RawClient } from '../raw-client.ts';
import { until } from '../until.ts';
import { zeros } from '../zeros.ts';
import { useTestService } from '../use-service.ts';

const big = 128 * 1024 * 1024;
const service = useTestService();
let admin: string;
let bob: string;

beforeAll(async () => {
  const alice = await service.user('alice', true);
  admin = await service.token(alice, ['api']);
  const reader = await service.user('bob');
  bob = await service.token(reader, ['read_measurement']);
  await addMeasurement(service, alice, 'qmr-114', [
    { path: 'a.txt', bytes: 'hello, network' },
    await zeros(service, 'qmr-114', 'raw/big.raw', big),
  ]);
  await service.services.grants.grant('qmr-114', { userId: reader }, null, alice);
});

async function ask(
  path: string,
  token = admin,
  method = 'GET',
): Promise<{ readonly status: number; readonly total: number; readonly body: unknown }> {
  const response = await fetch(service.url + path, { method, headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  return {
    status: response.status,
    total: Number(response.headers.get('x-total')),
    body: text === '' ? null : JSON.parse(text),
  };
}
const running = async () => (await ask('/api/v4/transfers/running')).body as OutgoingTransfer[];
async function past(query = ''): Promise<{ readonly total: number; readonly body: PastTransfer[] }> {
  const { total, body } = await ask(`/api/v4/transfers/past${query}`);
  return { total, body: body as PastTransfer[] };
}

describe('running transfers', () => {
  test('are listed with user, content and progress, and can be ended', async () => {
    const client = await RawClient.open(service.url);
    client.get(
      '/measurements/qmr-114/files/1',
      `Authorization: Bearer ${bob}`,
      'User-Agent: curl/8.14.1',
      'Range: bytes=1024-',
    );
    await client.until(2_000_000);
    const [seen] = await running();
    expect(seen).toMatchObject({
      short_answers: null,
      username: 'bob',
      token_name: 'test',
      application_name: null,
      address: '127.0.0.1',
      measurement_id: 'qmr-114',
      what: 'file',
      path: 'raw/big.raw',
      range: 'bytes=1024-',
      bytes_total: big - 1024,
      user_agent: 'curl/8.14.1',
    });
    client.pause();
    await until(async () => (await running())[0]?.bytes_per_second === 0, 'a client that stands still has no rate');
    const sent = (await running())[0]?.bytes_sent ?? 0;
    expect(sent).toBeGreaterThan(1_000_000);
    await until(async () => {
      client.resume();
      await client.until(client.received + 100_000);
      client.pause();
      return ((await running())[0]?.bytes_per_second ?? 0) > 0;
    }, 'it has one when it reads on');

    const id = seen?.id ?? 0;
    expect((await ask(`/api/v4/transfers/running/${id}/end`, bob, 'POST')).status).toBe(403);
    expect((await ask(`/api/v4/transfers/running/${id}/end`, admin, 'POST')).status).toBe(204);
    await client.drain();
    expect(client.received).toBeLessThan(big);
    await until(async () => (await running()).length === 0, 'it is in the list no more');
    expect((await ask(`/api/v4/transfers/running/${id}/end`, admin, 'POST')).status).toBe(404);
    await until(async () => (await past()).body[0]?.outcome === 'ended', 'the trail says how it ended');
    const events = await service.services.auditList.page(
      { userId: null, action: 'sharing.', from: 0, before: Number.MAX_SAFE_INTEGER },
      5,
      0,
    );
    expect(events.rows).toMatchObject([
      {
        action: 'sharing.end-transfer',
        username: 'alice',
        subject: 'measurement:qmr-114',
        detail: 'to bob at 127.0.0.1',
      },
    ]);
  });

  test('short responses are grouped by client for as long as an administrator watches', async () => {
    await running();
    let counted = 0;
    await until(async () => {
      for (let at = 0; at < 20; at += 1) {
        const range = { authorization: `Bearer ${bob}`, range: `bytes=${at}-${at + 999}` };
        await (await fetch(`${service.url}/measurements/qmr-114/files/1`, { headers: range })).arrayBuffer();
      }
      const short = (await running()).find(({ short_answers }) => short_answers !== null);
      if (!short) return false;
      expect(short).toMatchObject({
        username: 'bob',
        measurement_id: 'qmr-114',
        what: 'file',
        path: null,
        range: null,
        bytes_total: null,
        address: '127.0.0.1',
      });
      expect(short.bytes_sent).toBe((short.short_answers ?? 0) * 1000);
      expect((await ask(`/api/v4/transfers/running/${short.id}/end`, admin, 'POST')).status).toBe(400);
      counted = short.short_answers ?? 0;
      return true;
    }, 'they are seen');
    expect(counted).toBeGreaterThan(0);
    await until(async () => (await running()).length === 0, 'they are gone a second later');
  });

  test('are for administrators', async () => {
    const reader = await service.token((await service.services.users.byUsername('bob'))?.id ?? 0, ['api']);
    for (const path of ['/api/v4/transfers/running', '/api/v4/transfers/past']) {
      expect((await ask(path, reader)).status).toBe(403);
      expect((await fetch(service.url + path)).status).toBe(401);
    }
  });
});

describe('past transfers', () => {
  beforeAll(() => {
    const database = openBeside(service);
    const insert = database.prepare(
      `INSERT INTO transfers (started_at, ended_at, user_id, address, measurement_id, what, file_index, status, bytes_sent, outcome) VALUES (?, ?, ?, ?, ?, 'file', 0, 200, 7, 'complete')`,
    );
    database.transaction(() => {
      // More than one step of a search.
      const now = Date.now() + 60_000;
      for (let at = 0; at < 45_000; at += 1)
        insert.run(now + at, now + at, 2, '192.168.4.17', at % 15_000 === 7 ? `needle_${at}` : 'hay-01');
      insert.run(now + 45_000, now + 45_000, 1, 'fd00::17', 'hay-02');
    })();
    database.close();
  });

  test('are paged, the newest first, with names', async () => {
    const first = await past('?per_page=2');
    // Counting stops at 10,000.
    expect(first.total).toBe(0);
    expect(first.body.map(({ measurement_id, username }) => [measurement_id, username])).toEqual([
      ['hay-02', 'alice'],
      ['hay-01', 'bob'],
    ]);
    const second = await past('?per_page=2&page=2');
    expect(second.body[0]?.id).toBe((first.body[1]?.id ?? 0) - 1);
    const own = await past('?per_page=100&search=qmr-114');
    expect(own.body.at(-1)).toMatchObject({
      path: 'raw/big.raw',
      range: 'bytes=1024-',
      token_name: 'test',
      user_agent: 'curl/8.14.1',
    });
  });

  test('are searched by measurement, address and user, across all pages', async () => {
    const found = async (search: string, page = 1) => {
      const { total, body } = await past(`?per_page=2&page=${page}&search=${encodeURIComponent(search)}`);
      return { total, ids: body.map(({ measurement_id }) => measurement_id) };
    };
    expect(await found('NEEDLE')).toEqual({ total: 3, ids: ['needle_30007', 'needle_15007'] });
    expect(await found('needle', 2)).toEqual({ total: 3, ids: ['needle_7'] });
    expect(await found('needle', 3)).toEqual({ total: 3, ids: [] });
    // LIKE's wildcards are ordinary letters here.
    expect((await found('needle%7')).total).toBe(0);
    expect((await found('needle_7')).ids).toEqual(['needle_7']);
    expect(await found('::17')).toEqual({ total: 1, ids: ['hay-02'] });
    expect((await found('ali')).ids).toEqual(['hay-02']);
    expect(await found('bob')).toEqual({ total: 0, ids: ['hay-01', 'hay-01'] });
    expect((await found('192.168.4.1')).ids).toEqual(['hay-01', 'hay-01']);
  });
});
