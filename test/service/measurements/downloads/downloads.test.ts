import { beforeEach, describe, expect, test } from 'vitest';
import type { Download } from '../../../../src-main/service/contract/downloads.ts';
import { singleProcess } from '../../../../src-main/service/database/cluster/cluster.ts';
import { DownloadCoverage } from '../../../../src-main/service/measurements/transfers/download-coverage.ts';
import { contextBeside, giveToDeadReplica } from '../../beside-context.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { useFreshService } from '../../use-service.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { zeros } from '../../zeros.ts';

const long = 8 * 1024 * 1024;
const small = 30;
const service = useFreshService();
let admin: string;
let token: string;
let alice: number;
beforeEach(async () => {
  admin = await service.token(await service.user('root', true));
  alice = await service.user('alice');
  token = await service.token(alice);
  await addMeasurement(service, alice, 'm', [
    ...Array.from({ length: small }, (_, i) => ({
      path: `small/${String(i).padStart(2, '0')}.txt`,
      bytes: `file ${i}`,
    })),
    await zeros(service, 'm', 'long.bin', long),
  ]);
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
const fetched = async (path: string, headers: Record<string, string> = {}) => (await ask(path, headers)).arrayBuffer();
const listed = async (query = '', who = admin): Promise<Download[]> =>
  (await (await ask(`/api/v4/downloads${query}`, { authorization: `Bearer ${who}` })).json()) as Download[];

async function only(outcome: Download['outcome'], requests: number): Promise<Download> {
  await until(async () => {
    const [first] = await listed();
    return first?.outcome === outcome && first.requests === requests;
  }, `one that is ${outcome} after ${requests} requests`);
  const all = await listed();
  expect(all).toHaveLength(1);
  return all[0] as Download;
}

/** `long.bin` sorts before `small/`. */
const longFile = '/measurements/m/files/0';

describe('U2: the history of downloads', () => {
  test('a fetch of every file, one of them in pieces, is one complete download; a repeated file does not count twice', async () => {
    await fetched('/measurements/m/files');
    for (let i = 1; i <= small; i += 1) await fetched(`/measurements/m/files/${i}`);
    await fetched('/measurements/m/files/1');
    const quarter = long / 4;
    await Promise.all(
      [3, 0, 2].map((i) => fetched(longFile, { range: `bytes=${i * quarter}-${(i + 1) * quarter - 1}` })),
    );
    expect(await only('part', 1 + small + 1 + 3)).toMatchObject({
      username: 'alice',
      measurement_id: 'm',
      file_count: small + 1,
      files_whole: small,
      address: '127.0.0.1',
    });
    await fetched(longFile, { range: `bytes=${quarter}-${2 * quarter - 1}` });
    const whole = await only('whole', 1 + small + 1 + 4);
    expect(whole).toMatchObject({
      files_whole: small + 1,
      as_archive: false,
      reason: null,
      token_name: 'test',
      user_agent: 'node',
    });
    expect(whole.bytes_sent).toBeGreaterThan(long);
    const response = await ask(`/api/v4/downloads/${whole.id}/transfers?per_page=100`);
    const transfers = (await response.json()) as { path: string | null; requests: number }[];
    expect(transfers.reduce((sum, { requests }) => sum + requests, 0)).toBe(whole.requests);
    expect(new Set(transfers.map(({ path }) => path)).size).toBe(1 + small + 1);
    expect(response.headers.get('x-total')).toBe(String(transfers.length));
  });

  test('a ZIP fetched in two pieces is complete', async () => {
    await fetched('/measurements/m', { range: 'bytes=0-999999' });
    expect((await only('part', 1)).files_whole).toBe(0);
    await fetched('/measurements/m', { range: 'bytes=1000000-' });
    expect(await only('whole', 2)).toMatchObject({ as_archive: true, files_whole: small + 1 });
  });

  test('one that breaks off has failed with its reason, and is complete once the rest has been fetched', async () => {
    await addMeasurement(service, alice, 'big', [await zeros(service, 'big', 'big.bin', 64 * 1024 * 1024)]);
    const client = await RawClient.open(service.url);
    client.get('/measurements/big/files/0', `Authorization: Bearer ${token}`, 'User-Agent: node');
    await client.until(1);
    client.pause();
    expect((await only('running', 1)).measurement_id).toBe('big');
    client.socket.resetAndDestroy();
    const failed = await only('failed', 1);
    expect(failed).toMatchObject({ reason: 'client-closed', files_whole: 0 });
    await fetched('/measurements/big/files/0', { range: `bytes=${failed.bytes_sent}-` });
    expect(await only('whole', 2)).toMatchObject({ files_whole: 1, reason: null });
  });

  test('is listed by person, measurement, time and outcome, and as CSV', async () => {
    await fetched('/measurements/m/files/1');
    await ask('/measurements/m/files', { authorization: `Bearer ${admin}` }).then(async (response) => response.text());
    await until(async () => (await listed()).length === 2, 'both');
    const today = new Date().toISOString().slice(0, 10);
    const people = async (query: string) => (await listed(query)).map(({ username }) => username);
    expect(await people('?user=alice')).toEqual(['alice']);
    expect(await people('?user=nobody')).toEqual([]);
    expect(await people('?measurement=other')).toEqual([]);
    expect(await people('?outcome=list')).toEqual(['root']);
    expect(await people(`?from=${today}&measurement=m`)).toHaveLength(2);
    expect(await people('?to=2020-01-01')).toEqual([]);
    const csv = await (await ask('/api/v4/downloads.csv?user=alice', { authorization: `Bearer ${admin}` })).text();
    expect(csv.split('\r\n')).toEqual([
      expect.stringMatching(/^id,measurement,user,/),
      expect.stringContaining(',m,alice,test,'),
      '',
    ]);
  });

  test('is shown to administrators, and to those who manage the measurement', async () => {
    const bob = await service.token(await service.user('bob'));
    await fetched('/measurements/m/files/1');
    const { id } = await only('part', 1);
    const status = async (path: string, who: string) => (await ask(path, { authorization: `Bearer ${who}` })).status;
    for (const path of ['/api/v4/downloads', '/api/v4/downloads.csv'])
      expect([await status(path, token), await status(path, admin)]).toEqual([403, 200]);
    for (const path of [
      '/api/v4/measurements/m/downloads',
      '/api/v4/measurements/m/downloads.csv',
      `/api/v4/downloads/${id}/transfers`,
    ])
      expect([path, await status(path, token), await status(path, admin), (await status(path, bob)) >= 403]).toEqual([
        path,
        200,
        200,
        true,
      ]);
    expect(await status('/api/v4/downloads/999/transfers', token)).toBe(404);
  });

  test('a download that a killed service left running is marked as killed at the next start', async () => {
    const store = service.services.transfers;
    const row = {
      startedAt: 1,
      lastAt: 1,
      userId: alice,
      tokenId: null,
      applicationId: null,
      address: null,
      userAgent: null,
      measurementId: 'm',
    };
    const numbers = {
      fileCount: 1,
      filesWhole: 0,
      asArchive: false,
      requests: 1,
      bytesSent: 0,
      reason: null,
      outcome: 'running' as const,
    };
    await store.write({
      ended: [],
      started: [],
      progress: [],
      repeated: [],
      downloads: [{ id: store.newDownloadId(), ...row, ...numbers }],
    });
    const { transfersStore } = await import('../../../../src-main/service/transfers/transfers-store.ts');
    giveToDeadReplica(service, 'downloads');
    const beside = await contextBeside(service);
    const { database, idSource } = beside.context;
    const besideStore = await transfersStore(database, await idSource('downloads'), singleProcess);
    await besideStore.endLeftOver(Date.now(), new AbortController().signal);
    await beside.close();
    expect((await listed())[0]?.outcome).toBe('killed');
  });
});

describe('U2: coverage', () => {
  test('joins pieces in any order, and drops the oldest unfinished file before it grows', () => {
    const coverage = new DownloadCoverage(2000);
    for (const [from, to] of [
      [60, 80],
      [0, 20],
      [40, 60],
      [10, 40],
      [80, 100],
    ] as const)
      coverage.add(7, from, to, 100);
    expect([coverage.wholeFiles, coverage.isWhole(7), coverage.isWhole(6)]).toEqual([1, true, false]);
    for (let file = 100; file < 1900; file += 1) coverage.add(file, 1, 2, 3);
    expect(coverage.bytes).toBeLessThan(16 * 1024);
    expect([coverage.has(100, 1, 2), coverage.has(1899, 1, 2)]).toEqual([false, true]);
  });
});
