import { describe, expect, test } from 'vitest';
import type { ReceiptFile } from '../../../src-main/service/contract/copies/copies.ts';
import { verifyReceipt } from '../../../src-main/service/receipts/receipt.ts';
import { asWindow } from '../as-window.ts';
import { startTestService } from '../start.ts';
import { useCopies } from './copies-scene.ts';

const scene = useCopies();
const { measurement, keepCopy, reaches, act, copyOf } = scene;

describe('a copy', () => {
  test('is sent, has a receipt, and has the same bytes', async () => {
    const id = await measurement();
    const times = { beganAt: Date.UTC(2026, 2, 1, 8), endedAt: Date.UTC(2026, 2, 1, 9) };
    await scene.here.services.registrations.setTimes(id, times);
    await keepCopy(id);
    const copy = await reaches(id, 'verified');
    expect(copy).toMatchObject({ server_name: 'Facility', has_receipt: true, bytes_done: copy.bytes_total });
    const there = await scene.far.services.measurements.byId(id);
    const own = await scene.here.services.measurements.byId(id);
    expect(there?.archive_tag).toBe(own?.archive_tag);
    expect(there).toMatchObject({ began_at: times.beganAt, ended_at: times.endedAt });
    const { body } = await asWindow(scene.here, 'GET', `/api/v4/local/copies/${copy.id}/receipt`);
    const file = body as ReceiptFile;
    const { claims } = await verifyReceipt(file.receipt, { keys: file.keys });
    expect(claims.measurement).toMatchObject({ id, manifest_sha256: own?.archive_tag, files: 3 });
    expect(claims.sub).toBe('alice');
    const audited = await asWindow(scene.here, 'GET', '/api/v4/audit_events?action=measurement.copy');
    expect(audited.body).toMatchObject([{ subject: `measurement:${id}`, detail: 'Facility' }]);
  });

  test('of a second request is the same one', async () => {
    const id = await measurement();
    await keepCopy(id);
    await reaches(id, 'verified');
    const { body } = await asWindow(scene.here, 'POST', '/api/v4/local/copies', {
      server_id: scene.serverId,
      measurement_ids: [id],
    });
    expect(body).toEqual({ added: 0, known: 1, left_out: 0 });
  });

  test('that is there already is only verified', async () => {
    const id = await measurement();
    await keepCopy(id);
    await act('remove', [(await reaches(id, 'verified')).id]);
    scene.proxy.seen.length = 0;
    await keepCopy(id);
    await reaches(id, 'verified');
    expect(scene.proxy.seen.filter((line) => line.startsWith('PATCH'))).toEqual([]);
  });

  test('shows up for those who may read the measurement', async () => {
    const id = await measurement();
    await keepCopy(id);
    await reaches(id, 'verified');
    const token = await scene.here.token(scene.alice, ['read_api']);
    const list = await fetch(`${scene.here.url}/api/v4/measurements/${id}/copies`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await list.json()).toEqual([{ server_name: 'Facility', verified_at: (await copyOf(id)).verified_at }]);
  });

  test('is kept of all of a project, once each', async () => {
    const ids = [await measurement(), await measurement(), await measurement()];
    const project = await scene.here.services.projects.create('magnets', 'Magnets');
    if (project === null) throw new Error('no project');
    for (const id of ids) await scene.here.services.grants.grant(id, { projectId: project.id }, null, scene.alice);
    const request = { server_id: scene.serverId, of_project: project.id };
    expect((await asWindow(scene.here, 'POST', '/api/v4/local/copies', request)).body).toMatchObject({ added: 3 });
    for (const id of ids) await reaches(id, 'verified');
    expect((await asWindow(scene.here, 'POST', '/api/v4/local/copies', request)).body).toMatchObject({
      added: 0,
      known: 3,
    });
  });

  test('goes on after the connection was cut many times', async () => {
    const id = await measurement();
    let cuts = 0;
    scene.proxy.alter = ({ method }) => {
      if (cuts >= 3 || method === 'DELETE') return null;
      cuts += 1;
      return 'cut';
    };
    await keepCopy(id);
    for (let at = 0; at < 3; at += 1) {
      await reaches(id, 'waiting');
      expect((await copyOf(id)).reason).toBe('unreachable');
      await act('resume', 'all');
    }
    await reaches(id, 'verified');
  });

  test('goes on after a restart of the service', async () => {
    const id = await measurement();
    scene.proxy.alter = ({ method }) => (method === 'PATCH' ? 'cut' : null);
    await keepCopy(id);
    await reaches(id, 'waiting');
    const { dataDir } = scene.here.services.config;
    await scene.here.stop();
    const again = await startTestService({ dataDir, database: null });
    const kept = scene.here;
    scene.here = again;
    scene.proxy.alter = () => null;
    try {
      await act('resume', 'all');
      await reaches(id, 'verified');
    } finally {
      await again.end();
      scene.here = kept;
    }
  });
});

test('the list has all copies by their states, page by page', async () => {
  const { copies, copyList } = scene.here.services;
  const rows = Array.from({ length: 30 }, (_, at) => ({
    measurement_id: `listed-${at}`,
    title: 'Listed',
    manifest_sha256: 'a'.repeat(64),
    base_url: 'http://127.0.0.1:1',
    server_id: null,
    server_name: 'Away',
    project: null,
    bytes_total: 1,
  }));
  await copies.add(rows, Date.now());
  await act('pause', 'all');
  const ids = (await copyList.page({ filter: 'all', measurementId: null, offset: 0, limit: 50 })).rows.map(
    ({ id }) => id,
  );
  await act('cancel', ids.slice(0, 10));
  const whole = await copyList.page({ filter: 'all', measurementId: null, offset: 0, limit: 50 });
  expect([whole.total, whole.rows.length]).toEqual([30, 30]);
  expect(whole.rows.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 20 }, () => 'paused'),
    ...Array.from({ length: 10 }, () => 'cancelled'),
  ]);
  const pages = [];
  for (let offset = 0; offset < 35; offset += 7)
    pages.push(...(await copyList.page({ filter: 'all', measurementId: null, offset, limit: 7 })).rows);
  expect(pages.map(({ id }) => id)).toEqual(whole.rows.map(({ id }) => id));
  expect(await copyList.page({ filter: 'active', measurementId: null, offset: 15, limit: 50 })).toMatchObject({
    total: 20,
    rows: Array.from({ length: 5 }, () => ({ state: 'paused' })),
  });
});
