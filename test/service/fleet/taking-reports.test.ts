import { beforeAll, expect, test } from 'vitest';
import type { Bench, BenchDetail, BenchSummary } from '../../../src-main/service/contract/fleet/fleet.ts';
import { useTestService, useUser } from '../use-service.ts';
import { aBench, sendReport } from './a-bench.ts';

const service = useTestService();
const alice = useUser(service, 'alice', { admin: true, scopes: ['api'] });
const bob = useUser(service, 'bob', { scopes: ['write_measurement', 'read_api'] });
let push: string;

beforeAll(async () => {
  push = await service.token(alice.id, ['write_measurement']);
});

async function request(method: string, path: string, token = alice.token, content?: object) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(content ? { 'content-type': 'application/json' } : {}) },
    ...(content ? { body: JSON.stringify(content) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
}
const get = async (path: string, token = alice.token) => request('GET', path, token);
const bench = async (id: string): Promise<BenchDetail> =>
  (await get(`/api/v4/fleet/benches/${id}`)).body as BenchDetail;

test('a report makes a bench, and later ones change it', async () => {
  const one = await aBench(service);
  expect((await sendReport(service, push, await one.report())).body).toMatchObject({ bench_id: one.id });
  expect(await bench(one.id)).toMatchObject({ name: 'nmr-400', state: 'reporting', username: 'alice', concerns: [] });
  const disks = [{ what: 'data' as const, name: '', free_bytes: 1e9, size_bytes: 1000e9 }];
  expect((await sendReport(service, push, await one.report({ disks, runs: { growing: 2, stuck: 1 } }))).status).toBe(
    200,
  );
  expect((await bench(one.id)).concerns).toEqual(['disk-full', 'runs-stuck']);
  const audited = (await get('/api/v4/audit_events?action=bench.add')).body as { subject: string }[];
  expect(audited.filter(({ subject }) => subject === `bench:${one.id}`)).toHaveLength(1);
});

test('a goodbye closes a bench, and its next report opens it', async () => {
  const one = await aBench(service);
  await sendReport(service, push, await one.report());
  await sendReport(service, push, await one.report({ going: 'asleep' }));
  expect((await bench(one.id)).state).toBe('asleep');
  await sendReport(service, push, await one.report({ going: 'closing' }));
  expect((await bench(one.id)).state).toBe('closed');
  await sendReport(service, push, await one.report());
  expect((await bench(one.id)).state).toBe('reporting');
});

test('a report that was taken is not taken again, nor one from before it', async () => {
  const one = await aBench(service);
  const [first, second] = [await one.report(), await one.report()];
  expect((await sendReport(service, push, second)).status).toBe(200);
  for (const late of [first, second]) {
    const { status, headers, body } = await sendReport(service, push, late);
    expect([status, body['type']]).toEqual([409, 'urn:benchport:problem:report-out-of-order']);
    expect(Number(headers.get('benchport-report-sequence'))).toBeGreaterThan(0);
  }
});

test('of reports that are sent at once the last one counts', async () => {
  const one = await aBench(service);
  const reports = [];
  for (let at = 0; at < 12; at += 1) reports.push(await one.report({ uptime_seconds: at }));
  const answers = await Promise.all(reports.toReversed().map(async (report) => sendReport(service, push, report)));
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect((await bench(one.id)).uptime_seconds).toBe(11);
});

test('nobody reports in the name of another bench', async () => {
  const [one, other] = [await aBench(service), await aBench(service)];
  await sendReport(service, push, await one.report({ name: 'mine' }));
  // The other key makes another bench, whatever it says.
  await sendReport(service, bob.token, await other.report({ name: 'mine' }));
  expect(other.id).not.toBe(one.id);
  expect((await bench(one.id)).username).toBe('alice');
  const [head = '', , signature = ''] = (await one.report()).split('.');
  const [, payload = ''] = (await other.report({ name: 'other' })).split('.');
  const { status, body } = await sendReport(service, bob.token, `${head}.${payload}.${signature}`);
  expect([status, body['type']]).toEqual([422, 'urn:benchport:problem:report-refused']);
});

test('a report for another server is refused', async () => {
  const one = await aBench(service);
  const { status, body } = await sendReport(service, push, await one.report({ to: 'other.lab.example' }));
  expect(status).toBe(422);
  expect(body['detail']).toContain('other.lab.example');
});

test('what a report must not be is refused with a reason', async () => {
  const one = await aBench(service);
  const bad = [
    await one.report({ name: '' }),
    await one.report({ sequence: 0 }),
    await one.report({ sent_at: 'yesterday' }),
    await one.report({ extra: 1 } as never),
    await one.report({
      disks: Array.from({ length: 21 }, () => ({ what: 'data', name: '', free_bytes: 1, size_bytes: 1 })),
    }),
  ];
  for (const report of bad) {
    const { status, body } = await sendReport(service, push, report);
    expect([status, String(body['detail']).startsWith('The report cannot be read')]).toEqual([422, true]);
  }
  expect((await sendReport(service, push, 'a.b.c')).status).toBe(422);
  expect((await sendReport(service, push, 'no report')).status).toBe(400);
  expect((await sendReport(service, push, `${'a'.repeat(16_000)}.b.${'c'.repeat(400)}`)).status).toBe(413);
});

test('reports need the scope of uploads, lists an administrator', async () => {
  const one = await aBench(service);
  const readOnly = await service.token(alice.id, ['read_api']);
  expect((await sendReport(service, readOnly, await one.report())).status).toBe(403);
  expect((await sendReport(service, 'glpat-wrong', await one.report())).status).toBe(401);
  for (const path of ['/api/v4/fleet', '/api/v4/fleet/benches', `/api/v4/fleet/benches/${one.id}`])
    expect((await get(path, bob.token)).status).toBe(403);
});

test('a bench that reports too often has to wait', async () => {
  const one = await aBench(service);
  let status = 200;
  for (let sent = 0; sent < 40 && status === 200; sent += 1)
    ({ status } = await sendReport(service, push, await one.report()));
  expect(status).toBe(429);
});

test('the clock of a bench is compared with that of the server', async () => {
  const one = await aBench(service);
  const ahead = new Date(Date.now() + 90_000).toISOString();
  await sendReport(service, push, await one.report({ sent_at: ahead, round_trip_ms: 2000 }));
  const { clock_ahead_ms: clock, concerns } = await bench(one.id);
  expect(Math.abs(clock - 91_000)).toBeLessThan(10_000);
  expect(concerns).toEqual(['clock-off']);
});

test('a bench takes the name and the note that it is given, and is forgotten', async () => {
  const one = await aBench(service);
  await sendReport(service, push, await one.report({ name: 'DESKTOP-4711' }));
  const path = `/api/v4/fleet/benches/${one.id}`;
  const change = { name: ' Spectrometer 2 ', note: 'Room 12', expected: 'may-be-off' };
  expect((await request('PATCH', path, alice.token, change)).body).toMatchObject({
    name: 'Spectrometer 2',
    reported_name: 'DESKTOP-4711',
    note: 'Room 12',
    expected: 'may-be-off',
  });
  expect((await request('PATCH', path, alice.token, { name: ' ' })).status).toBe(400);
  expect((await request('PATCH', path, alice.token, { expected: 'sometimes' })).status).toBe(400);
  expect((await request('PATCH', path, bob.token, change)).status).toBe(403);
  expect((await request('PATCH', path, alice.token, { name: null })).body).toMatchObject({ name: 'DESKTOP-4711' });
  expect((await request('DELETE', path)).status).toBe(204);
  expect((await get(path)).status).toBe(404);
  expect((await request('DELETE', path)).status).toBe(404);
});

test('lists are filtered, searched, sorted and paged', async () => {
  for (const name of ['list-b', 'list-A', 'list-c']) {
    const one = await aBench(service);
    const runs = { growing: 0, stuck: name === 'list-c' ? 3 : 0 };
    await sendReport(service, push, await one.report({ name, runs, version: name === 'list-b' ? '0.0.0' : '9.10.0' }));
  }
  const names = async (query: string): Promise<readonly string[]> =>
    ((await get(`/api/v4/fleet/benches?search=LIST-&${query}`)).body as Bench[]).map(({ name }) => name);
  expect(await names('')).toEqual(['list-c', 'list-A', 'list-b']);
  expect(await names('sort=name&order=desc')).toEqual(['list-c', 'list-b', 'list-A']);
  expect(await names('filter=attention')).toEqual(['list-c']);
  expect(await names('filter=gone')).toEqual([]);
  expect(await names('sort=version')).toEqual(['list-b', 'list-A', 'list-c']);
  expect(await names('sort=name&per_page=2&page=2')).toEqual(['list-c']);
  for (const sort of ['heard_at', 'last_run', 'backlog', 'disk', 'clock', 'errors'])
    expect(await names(`sort=${sort}&order=desc`)).toHaveLength(3);
  const { headers } = await get('/api/v4/fleet/benches?search=list-&per_page=1');
  expect(headers.get('x-total')).toBe('3');
  const summary = (await get('/api/v4/fleet')).body as BenchSummary;
  expect(summary.all).toBeGreaterThanOrEqual(3);
  expect(summary.unheard_since).toBeNull();
});
