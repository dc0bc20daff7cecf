import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BenchDetail } from '../../../src-main/service/contract/fleet/fleet.ts';
import type { RemoteServer } from '../../../src-main/service/contract/servers.ts';
import { asWindow } from '../as-window.ts';
import { startAlteringProxy, type AlteringProxy } from '../copies/altering-proxy.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';

const lookEveryMs = 50;
let here: TestService;
let far: TestService;
let proxy: AlteringProxy;
let serverId: number;
let token: string;
let isHereRunning: boolean;

beforeEach(async () => {
  far = await startTestService();
  token = await far.token(await far.user('alice', true), ['write_measurement', 'read_measurement']);
  proxy = await startAlteringProxy(far.url);
  here = await startTestService({ database: null, lookEveryMs });
  isHereRunning = true;
  const alice = await here.user('alice', true);
  await addMeasurement(here, alice, 'run-1', [{ path: 'scan.bin', bytes: 'bytes' }]);
  serverId =
    (await here.services.servers.create({ name: 'Facility', base_url: far.url, certificate: null, token }))?.id ?? 0;
});
afterEach(async () => {
  if (isHereRunning) await here.end();
  await proxy.end();
  await far.end();
});

async function keepCopy(): Promise<void> {
  const body = { server_id: serverId, measurement_ids: ['run-1'] };
  expect((await asWindow(here, 'POST', '/api/v4/local/copies', body)).status).toBe(202);
  here.services.events.emit('changed', { topic: 'servers' });
}

async function benches(): Promise<readonly BenchDetail[]> {
  const { rows } = await far.services.benchList.page({
    filter: 'all',
    search: '',
    sort: 'state',
    order: 'asc',
    offset: 0,
    limit: 10,
  });
  const found = await Promise.all(rows.map(async ({ id }) => asWindow(far, 'GET', `/api/v4/fleet/benches/${id}`)));
  return found.map(({ body }) => body as BenchDetail);
}

/** The server has another address. */
async function useProxy(): Promise<void> {
  await here.services.servers.update(serverId, { base_url: proxy.url, token });
}

const reportsSeen = (): number => proxy.seen.filter((line) => line === 'POST /api/v4/fleet/reports').length;

const states = async (): Promise<readonly string[]> => (await benches()).map(({ state }) => state);

test('a Benchport reports to the servers that it pushes to, and to no others', async () => {
  expect(await benches()).toEqual([]);
  await keepCopy();
  await expect.poll(states, { timeout: 20_000 }).toEqual(['reporting']);
  const [bench] = await benches();
  expect(bench).toMatchObject({
    version: '0.0.0-test',
    username: 'alice',
    is_older: false,
    last_run: { id: 'run-1' },
    rules: { watching: 0, paused: 0, unreachable: 0 },
  });
  expect(bench?.disks[0]).toMatchObject({ what: 'data' });
  expect(Math.abs(bench?.clock_ahead_ms ?? 1e9)).toBeLessThan(60_000);
});

test('one that ends says goodbye', async () => {
  await keepCopy();
  await expect.poll(states, { timeout: 20_000 }).toEqual(['reporting']);
  isHereRunning = false;
  await here.end();
  expect(await states()).toEqual(['closed']);
});

test('one whose computer sleeps says so, and reports as soon as it is awake', async () => {
  await keepCopy();
  await expect.poll(states, { timeout: 20_000 }).toEqual(['reporting']);
  here.services.power.tell('suspend');
  await expect.poll(states, { timeout: 20_000 }).toEqual(['asleep']);
  here.services.power.tell('resume');
  await expect.poll(states, { timeout: 20_000 }).toEqual(['reporting']);
});

test('something important is reported at once', async () => {
  await keepCopy();
  await expect.poll(async () => (await benches())[0]?.last_run?.id, { timeout: 20_000 }).toBe('run-1');
  const alice = (await here.services.users.byUsername('alice'))?.id ?? 0;
  await addMeasurement(here, alice, 'run-2', [{ path: 'scan.bin', bytes: 'more' }]);
  here.services.events.emit('changed', { topic: 'measurements' });
  await expect.poll(async () => (await benches())[0]?.last_run?.id, { timeout: 20_000 }).toBe('run-2');
});

test('a server that is not to be told is not told', async () => {
  const { status } = await asWindow(here, 'PATCH', `/api/v4/local/servers/${serverId}`, { reports: false });
  expect(status).toBe(200);
  await keepCopy();
  await expect.poll(async () => far.services.measurements.byId('run-1'), { timeout: 20_000 }).not.toBeNull();
  expect(await benches()).toEqual([]);
  await asWindow(here, 'PATCH', `/api/v4/local/servers/${serverId}`, { reports: true });
  await expect.poll(states, { timeout: 20_000 }).toEqual(['reporting']);
});

test('a server that knows no reports is asked once, and again when its token is another one', async () => {
  await useProxy();
  const unknown = { status: 404, body: { detail: 'There is nothing at this address.', request_id: 'r-1' } };
  proxy.alter = ({ path }) => (path.startsWith('/api/v4/fleet') ? unknown : null);
  await keepCopy();
  await expect.poll(reportsSeen, { timeout: 20_000 }).toBe(1);
  await expect.poll(async () => far.services.measurements.byId('run-1'), { timeout: 20_000 }).not.toBeNull();
  here.services.events.emit('changed', { topic: 'measurements' });
  expect(reportsSeen()).toBe(1);
  const again = await far.token((await far.services.users.byUsername('alice'))?.id ?? 0, ['write_measurement']);
  await here.services.servers.update(serverId, { token: again });
  here.services.events.emit('changed', { topic: 'servers' });
  await expect.poll(reportsSeen, { timeout: 20_000 }).toBe(2);
});

test('a server that is away is asked again after some seconds, and does not keep the service from ending', async () => {
  await useProxy();
  proxy.alter = ({ path }) => (path.startsWith('/api/v4/fleet') ? 'cut' : null);
  await keepCopy();
  await expect.poll(reportsSeen, { timeout: 20_000 }).toBe(1);
  await expect.poll(reportsSeen, { timeout: 20_000 }).toBe(2);
  isHereRunning = false;
  await here.end();
  expect(reportsSeen()).toBe(2);
});

test('it goes on after its data came from a backup, with the numbers of then', async () => {
  await keepCopy();
  await expect.poll(states, { timeout: 20_000 }).toEqual(['reporting']);
  const [bench] = await benches();
  const row = await far.services.benchList.byId(bench?.id ?? '');
  if (!row) throw new Error('the bench is gone');
  // As if its clock had been a year ahead before.
  const ahead = { ...row.report, sequence: row.sequence + 31_536_000_000, uptime_seconds: 999_999 };
  await far.services.benches.receive(
    { benchId: row.id, userId: row.user_id, report: ahead, clockAheadMs: 0 },
    Date.now(),
  );
  here.services.events.emit('changed', { topic: 'measurements' });
  here.services.power.tell('resume');
  await expect.poll(async () => (await benches())[0]?.uptime_seconds, { timeout: 20_000 }).toBeLessThan(999_999);
});

test('a server that takes no reports is shown with the reason, until it has a token that may', async () => {
  const alice = await far.services.users.byUsername('alice');
  const narrow = await far.token(alice?.id ?? 0, ['read_measurement']);
  await here.services.servers.update(serverId, { token: narrow });
  await keepCopy();
  const refused = async () => {
    const { body } = await asWindow(here, 'GET', '/api/v4/local/servers');
    return (body as readonly RemoteServer[])[0]?.reports_refused;
  };
  await expect.poll(refused, { timeout: 20_000 }).toContain('answered with the status 403.');
  expect(await benches()).toEqual([]);
  await here.services.servers.update(serverId, { token });
  here.services.events.emit('changed', { topic: 'servers' });
  await expect.poll(refused, { timeout: 20_000 }).toBe(null);
  expect(await states()).toEqual(['reporting']);
});
