import { describe, expect, test } from 'vitest';
import { startTestService } from '../../start.ts';
import { until } from '../../until.ts';
import { long, useClients } from './clients-scene.ts';

const scene = useClients();
const { start, ask, rows, slow } = scene;

describe('the audit trail', () => {
  test('has one row for each transfer, with what was requested and sent', async () => {
    await start();
    await (await ask('/measurements/m/files/1', { range: 'bytes=1-3', 'user-agent': 'lab-robot/1' })).text();
    await (await ask('/measurements/m/files', { 'accept-encoding': 'identity' })).text();
    await (await ask('/measurements/m', { range: 'bytes=-22' })).arrayBuffer();
    await ask('/measurements/m/files/0', { range: 'bytes=99999999999-' });
    const head = await fetch(`${scene.service.url}/measurements/m`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${scene.token}` },
    });
    expect(head.status).toBe(200);
    await until(() => rows().length === 3, 'three rows');
    const [file, manifest, archive] = rows();
    expect(file).toMatchObject({
      user_id: scene.alice,
      what: 'file',
      file_index: 1,
      range: 'bytes=1-3',
      status: 206,
      bytes_sent: 3,
      outcome: 'complete',
      user_agent: 'lab-robot/1',
      address: '127.0.0.1',
    });
    expect(file?.token_id).toBeGreaterThan(0);
    expect(manifest).toMatchObject({
      what: 'manifest',
      file_index: null,
      range: null,
      status: 200,
      outcome: 'complete',
    });
    expect(archive).toMatchObject({ what: 'archive', range: 'bytes=-22', bytes_sent: 22, outcome: 'complete' });
    const shown = (await (await ask('/api/v4/measurements/m/transfers?per_page=1&page=2')).json()) as unknown[];
    expect(shown).toEqual([
      expect.objectContaining({ user: 'alice', token: 'test', what: 'manifest', path: null, outcome: 'complete' }),
    ]);
    const [first] = (await (await ask('/api/v4/measurements/m/transfers?per_page=1&page=3')).json()) as {
      path: string | null;
    }[];
    expect(first?.path).toBe('small.txt');
  });

  test('shows a long transfer before it ends, so that a kill leaves a trace', async () => {
    await start();
    const client = await slow();
    await until(() => rows().length === 1, 'the first row');
    expect(rows()[0]).toMatchObject({ ended_at: null, outcome: null, status: 200 });
    client.socket.destroy();
    await until(() => rows()[0]?.outcome === 'client-closed', 'the end of the row');
    const row = rows()[0];
    expect(row?.bytes_sent).toBeGreaterThan(0);
    expect(row?.bytes_sent).toBeLessThan(long);
    expect(row?.ended_at).not.toBeNull();
    expect(rows()).toHaveLength(1);
  });

  test('records that the stop of the service ended a transfer', async () => {
    await start();
    const client = await slow();
    // The client stops reading, because on a fast machine it would have everything before the grace
    // period ends.
    await scene.service.stop(100);
    client.socket.destroy();
    expect(rows()).toMatchObject([{ outcome: 'stopped' }]);
    // `end` stops it a second time, which has no effect.
    scene.service = await startTestService();
  });
});

test('rates are announced once a second during transfers, and once when there are none', async () => {
  await start();
  const seen: { up_bytes_per_second: number; up_clients: number }[] = [];
  scene.service.services.events.subscribe((name, event) => {
    if (name === 'rates') seen.push(event as { up_bytes_per_second: number; up_clients: number });
  });
  await (await ask('/measurements/m/files/0')).arrayBuffer();
  await until(() => seen.at(-1)?.up_bytes_per_second === 0, 'the zero at the end');
  expect(seen.reduce((sum, one) => sum + one.up_bytes_per_second, 0)).toBe(long);
  expect(seen[0]?.up_clients).toBe(1);
});
