import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Copy, CopyAction, CopyPage, ReceiptFile } from '../../../src-main/service/contract/copies/copies.ts';
import { receiptKey, signReceipt, verifyReceipt } from '../../../src-main/service/receipts/receipt.ts';
import { signingKey } from '../../../src-main/service/secrets/signing-key.ts';
import { asWindow } from '../as-window.ts';
import { addMeasurement, changeSeen, openBeside } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { startAlteringProxy, type AlteringProxy } from './altering-proxy.ts';

let here: TestService;
let far: TestService;
let proxy: AlteringProxy;
let serverId: number;
let alice: number;
let farToken: string;
let run = 0;
const big = randomBytes(5_000_000);

beforeAll(async () => {
  far = await startTestService({ database: null });
  const farAlice = await far.user('alice');
  farToken = await far.token(farAlice, ['write_measurement']);
});
afterAll(async () => far.end());

beforeEach(async () => {
  here = await startTestService({ database: null });
  proxy = await startAlteringProxy(far.url);
  alice = await here.user('alice', true);
  const { servers } = here.services;
  serverId =
    (await servers.create({ name: 'Facility', base_url: proxy.url, certificate: null, token: farToken }))?.id ?? 0;
});
afterEach(async () => {
  await here.end();
  await proxy.end();
});

async function measurement(): Promise<string> {
  run += 1;
  await addMeasurement(here, alice, `run-${run}`, [
    { path: 'a/empty.dat', bytes: '' },
    { path: 'a/scan.bin', bytes: big },
    { path: 'note.txt', bytes: `run ${run}` },
  ]);
  return `run-${run}`;
}

async function copyOf(id: string): Promise<Copy> {
  const { body } = await asWindow(here, 'GET', `/api/v4/local/copies?measurement_id=${id}`);
  const [copy] = (body as CopyPage).items;
  if (!copy) throw new Error(`no copy of ${id}`);
  return copy;
}

async function keepCopy(id: string): Promise<void> {
  const { status } = await asWindow(here, 'POST', '/api/v4/local/copies', {
    server_id: serverId,
    measurement_ids: [id],
  });
  expect(status).toBe(202);
}

async function reaches(id: string, state: Copy['state']): Promise<Copy> {
  await expect.poll(async () => (await copyOf(id)).state, { timeout: 30_000 }).toBe(state);
  return copyOf(id);
}

async function act(action: CopyAction, ids: readonly number[] | 'all'): Promise<number> {
  const { body } = await asWindow(here, 'POST', '/api/v4/local/copies/actions', { action, ids });
  return (body as { readonly changed: number }).changed;
}

describe('a copy', () => {
  test('is sent, has a receipt, and has the same bytes', async () => {
    const id = await measurement();
    const times = { beganAt: Date.UTC(2026, 2, 1, 8), endedAt: Date.UTC(2026, 2, 1, 9) };
    await here.services.registrations.setTimes(id, times);
    await keepCopy(id);
    const copy = await reaches(id, 'verified');
    expect(copy).toMatchObject({ server_name: 'Facility', has_receipt: true, bytes_done: copy.bytes_total });
    const there = await far.services.measurements.byId(id);
    const own = await here.services.measurements.byId(id);
    expect(there?.archive_tag).toBe(own?.archive_tag);
    expect(there).toMatchObject({ began_at: times.beganAt, ended_at: times.endedAt });
    const { body } = await asWindow(here, 'GET', `/api/v4/local/copies/${copy.id}/receipt`);
    const file = body as ReceiptFile;
    const { claims } = await verifyReceipt(file.receipt, { keys: file.keys });
    expect(claims.measurement).toMatchObject({ id, manifest_sha256: own?.archive_tag, files: 3 });
    expect(claims.sub).toBe('alice');
    const audited = await asWindow(here, 'GET', '/api/v4/audit_events?action=measurement.copy');
    expect(audited.body).toMatchObject([{ subject: `measurement:${id}`, detail: 'Facility' }]);
  });

  test('of a second request is the same one', async () => {
    const id = await measurement();
    await keepCopy(id);
    await reaches(id, 'verified');
    const { body } = await asWindow(here, 'POST', '/api/v4/local/copies', {
      server_id: serverId,
      measurement_ids: [id],
    });
    expect(body).toEqual({ added: 0, known: 1, left_out: 0 });
  });

  test('that is there already is only verified', async () => {
    const id = await measurement();
    await keepCopy(id);
    await act('remove', [(await reaches(id, 'verified')).id]);
    proxy.seen.length = 0;
    await keepCopy(id);
    await reaches(id, 'verified');
    expect(proxy.seen.filter((line) => line.startsWith('PATCH'))).toEqual([]);
  });

  test('shows up for those who may read the measurement', async () => {
    const id = await measurement();
    await keepCopy(id);
    await reaches(id, 'verified');
    const token = await here.token(alice, ['read_api']);
    const list = await fetch(`${here.url}/api/v4/measurements/${id}/copies`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await list.json()).toEqual([{ server_name: 'Facility', verified_at: (await copyOf(id)).verified_at }]);
  });

  test('is kept of all of a project, once each', async () => {
    const ids = [await measurement(), await measurement(), await measurement()];
    const project = await here.services.projects.create('magnets', 'Magnets');
    if (project === null) throw new Error('no project');
    for (const id of ids) await here.services.grants.grant(id, { projectId: project.id }, null, alice);
    const request = { server_id: serverId, of_project: project.id };
    expect((await asWindow(here, 'POST', '/api/v4/local/copies', request)).body).toMatchObject({ added: 3 });
    for (const id of ids) await reaches(id, 'verified');
    expect((await asWindow(here, 'POST', '/api/v4/local/copies', request)).body).toMatchObject({ added: 0, known: 3 });
  });

  test('goes on after the connection was cut many times', async () => {
    const id = await measurement();
    let cuts = 0;
    proxy.alter = ({ method }) => {
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
    proxy.alter = ({ method }) => (method === 'PATCH' ? 'cut' : null);
    await keepCopy(id);
    await reaches(id, 'waiting');
    const { dataDir } = here.services.config;
    await here.stop();
    const again = await startTestService({ dataDir, database: null });
    const kept = here;
    here = again;
    proxy.alter = () => null;
    try {
      await act('resume', 'all');
      await reaches(id, 'verified');
    } finally {
      await again.end();
      here = kept;
    }
  });
});

describe('what cannot be sent', () => {
  test('asks when the token is refused, and goes on with another one', async () => {
    const id = await measurement();
    const { servers } = here.services;
    await servers.update(serverId, { token: 'wrong' });
    await keepCopy(id);
    expect((await reaches(id, 'asking')).reason).toBe('token-refused');
    await servers.update(serverId, { token: farToken });
    here.services.events.emit('changed', { topic: 'servers' });
    await reaches(id, 'verified');
  });

  test('fails when another measurement has the id there', async () => {
    const id = await measurement();
    const farAlice = (await far.services.users.byUsername('alice'))?.id ?? 0;
    await addMeasurement(far, farAlice, id, [{ path: 'other', bytes: 'other' }]);
    await keepCopy(id);
    expect(await reaches(id, 'failed')).toMatchObject({ reason: 'id-taken', has_receipt: false });
  });

  test('fails when a file here was changed', async () => {
    const id = await measurement();
    const root = (await here.services.measurements.byId(id))?.root ?? '';
    await writeFile(path.join(root, 'note.txt'), 'changed');
    await keepCopy(id);
    await expect.poll(async () => (await copyOf(id)).reason, { timeout: 20_000 }).toBe('not-intact');
    expect(await far.services.measurements.byId(id)).toBeNull();
  });

  test('is left out when it is not whole, and refused when it is unknown', async () => {
    const id = await measurement();
    openBeside(here).prepare(`UPDATE measurements SET state = 'degraded', problem_count = 1 WHERE id = ?`).run(id);
    await changeSeen(here);
    const request = { server_id: serverId, measurement_ids: [id] };
    const { body } = await asWindow(here, 'POST', '/api/v4/local/copies', request);
    expect(body).toEqual({ added: 0, known: 0, left_out: 1 });
    const unknown = { server_id: serverId, measurement_ids: ['nothing'] };
    expect((await asWindow(here, 'POST', '/api/v4/local/copies', unknown)).status).toBe(404);
    expect(
      (await asWindow(here, 'POST', '/api/v4/local/copies', { server_id: 99, measurement_ids: [id] })).status,
    ).toBe(404);
    expect((await asWindow(here, 'POST', '/api/v4/local/copies', { server_id: serverId })).status).toBe(400);
  });

  test('waits while its server is removed', async () => {
    const id = await measurement();
    await here.services.servers.remove(serverId);
    await here.services.copies.add(
      [
        {
          measurement_id: id,
          title: id,
          manifest_sha256: (await here.services.measurements.byId(id))?.archive_tag ?? '',
          base_url: proxy.url,
          server_id: serverId,
          server_name: 'Facility',
          project: null,
          bytes_total: 1,
        },
      ],
      Date.now(),
    );
    expect((await reaches(id, 'asking')).reason).toBe('server-removed');
  });

  test('is paused, resumed and cancelled', async () => {
    const id = await measurement();
    const held = Promise.withResolvers<null>();
    proxy.alter = ({ method }) => (method === 'PATCH' ? held.promise : null);
    await keepCopy(id);
    const { id: copy } = await reaches(id, 'sending');
    expect(await act('pause', [copy])).toBe(1);
    await reaches(id, 'paused');
    expect(await act('resume', [copy])).toBe(1);
    await reaches(id, 'sending');
    expect(await act('cancel', 'all')).toBe(1);
    await reaches(id, 'cancelled');
    held.resolve(null);
    expect(await act('retry', [copy])).toBe(1);
    await reaches(id, 'verified');
    expect(await act('cancel', [copy])).toBe(0);
  });
});

test('a copy that is cancelled is removed from the server, as far as it had come', async () => {
  const id = await measurement();
  const held = Promise.withResolvers<null>();
  proxy.alter = ({ method }) => (method === 'PATCH' ? held.promise : null);
  await keepCopy(id);
  await expect.poll(async () => far.services.uploads.receiving(id)).not.toBeNull();
  await expect.poll(async () => (await here.services.copyList.verifiedOf(id, 0)).length).toBe(0);
  await expect.poll(() => proxy.seen.some((line) => line.startsWith('PATCH'))).toBe(true);
  await act('cancel', 'all');
  held.resolve(null);
  await expect.poll(async () => far.services.uploads.receiving(id), { timeout: 10_000 }).toBeNull();
  await expect.poll(async () => here.services.copies.unfinished(1)).toEqual([]);
  expect((await copyOf(id)).state).toBe('cancelled');
});

test('the list has all copies by their states, page by page', async () => {
  const { copies, copyList } = here.services;
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

describe('a lying receiver', () => {
  const lies: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
    'no receipt': (body) => ({ ...body, receipt: '' }),
    'a receipt that was changed': (body) => ({
      ...body,
      receipt: String(body['receipt']).replace(/\.[^.]+\./, '.e30.'),
    }),
  };
  for (const [name, change] of Object.entries(lies))
    test(`with ${name} never has a verified copy`, async () => {
      const id = await measurement();
      proxy.alter = ({ path: route }) => (route.endsWith('/receipts') ? { change } : null);
      await keepCopy(id);
      expect(await reaches(id, 'failed')).toMatchObject({
        reason: 'receipt-refused',
        has_receipt: false,
        verified_at: null,
      });
    });

  test('with a good signature over other bytes never has a verified copy', async () => {
    const id = await measurement();
    const { settings, secrets, log } = far.services;
    const key = await signingKey({ settings, secrets, log }, receiptKey)();
    const receipt = await signReceipt(key, {
      iss: far.url,
      sub: 'alice',
      iat: 1,
      jti: 'x',
      measurement: { id, manifest_sha256: '0'.repeat(64), files: 3, bytes: 5_000_005 },
    });
    proxy.alter = ({ path: route }) =>
      route.endsWith('/receipts') ? { change: (body) => ({ ...body, receipt }) } : null;
    await keepCopy(id);
    expect((await reaches(id, 'failed')).message).toContain('about other files');
  });

  test('with keys of its own after the first receipt never has a verified copy', async () => {
    const first = await measurement();
    await keepCopy(first);
    await reaches(first, 'verified');
    const id = await measurement();
    proxy.alter = ({ path: route }) =>
      route.endsWith('/receipts/keys')
        ? { change: ({ keys }) => ({ keys: (keys as object[]).map((key) => ({ ...key, x: 'AAAA' })) }) }
        : null;
    await keepCopy(id);
    expect((await reaches(id, 'failed')).message).toContain('other keys');
  });

  test('without the bytes never has a verified copy', async () => {
    const id = await measurement();
    proxy.alter = ({ path: route }) =>
      route.endsWith('/challenge') ? { change: (body) => ({ ...body, sha256: '0'.repeat(64) }) } : null;
    await keepCopy(id);
    expect(await reaches(id, 'failed')).toMatchObject({ reason: 'bytes-differ', verified_at: null });
  });

  test('whose keys cannot be read now is asked again', async () => {
    const id = await measurement();
    proxy.alter = ({ path: route }) => (route.endsWith('/receipts/keys') ? { status: 503, body: {} } : null);
    await keepCopy(id);
    expect(await reaches(id, 'waiting')).toMatchObject({ reason: 'server-busy', verified_at: null });
  });

  test('with an answer without end is cut off', async () => {
    const id = await measurement();
    proxy.alter = ({ path: route }) =>
      route.endsWith('/receipts') ? { status: 200, body: { receipt: 'x'.repeat(3_000_000) } } : null;
    await keepCopy(id);
    expect(await reaches(id, 'waiting')).toMatchObject({ verified_at: null });
  });

  test('without receipts says so', async () => {
    const id = await measurement();
    proxy.alter = ({ path: route }) => (route.endsWith('/receipts') ? { status: 404, body: {} } : null);
    await keepCopy(id);
    expect((await reaches(id, 'failed')).reason).toBe('no-receipt');
  });
});

describe('a check of a verified copy', () => {
  async function verifiedCopy(): Promise<string> {
    const id = await measurement();
    await keepCopy(id);
    await reaches(id, 'verified');
    return id;
  }

  test('renews when it was verified', async () => {
    const id = await verifiedCopy();
    const { id: copy, verified_at: before, check_at: due } = await copyOf(id);
    expect(Date.parse(due ?? '') - Date.now()).toBeGreaterThan(26 * 86_400_000);
    expect(await act('check', [copy])).toBe(1);
    await expect.poll(async () => (await copyOf(id)).verified_at).not.toBe(before);
  });

  test('finds that the copy was removed, or has other bytes', async () => {
    const [removed, damaged] = [await verifiedCopy(), await verifiedCopy()];
    const row = await far.services.measurements.byId(damaged);
    const file = (await far.services.files.at(damaged, 1))?.location ?? '';
    await rm(path.join(far.services.paths.library, file));
    expect(row?.storage).toBe('library');
    const { removeMeasurement } = await import('../../../src-main/service/measurements/registration/remove.ts');
    await removeMeasurement(far.services, removed);
    await act('check', 'all');
    expect((await reaches(removed, 'failed')).reason).toBe('copy-removed');
    expect(['copy-removed', 'bytes-differ']).toContain((await reaches(damaged, 'failed')).reason);
    const audited = await asWindow(here, 'GET', '/api/v4/audit_events?action=measurement.copy-lost');
    expect(audited.body).toHaveLength(2);
    const counts = await here.services.copyList.verifiedCounts([removed, damaged], 0);
    expect(counts.size).toBe(0);
  });

  test('is made again when the clock was set back', async () => {
    const id = await verifiedCopy();
    const { id: copy, verified_at: before } = await copyOf(id);
    await here.services.copies.checkAgainAt(copy, Date.now() + 400 * 86_400_000);
    await expect.poll(async () => (await copyOf(id)).verified_at, { timeout: 10_000 }).not.toBe(before);
  });

  test('takes a page of a server in between for no statement about the copy', async () => {
    const id = await verifiedCopy();
    const { id: copy, verified_at: before } = await copyOf(id);
    proxy.alter = ({ path: route }) => (route.endsWith('/challenge') ? { status: 404, body: {} } : null);
    await act('check', [copy]);
    await expect
      .poll(async () => Date.parse((await copyOf(id)).check_at ?? '') - Date.now())
      .toBeGreaterThan(3_600_000);
    expect(await copyOf(id)).toMatchObject({ state: 'verified', verified_at: before });
  });

  test('leaves the copy as it was while the server is away', async () => {
    const id = await verifiedCopy();
    const { id: copy, verified_at: before } = await copyOf(id);
    proxy.alter = () => 'cut';
    await act('check', [copy]);
    await expect.poll(() => proxy.seen.at(-1)).toContain('/challenge');
    await expect
      .poll(async () => Date.parse((await copyOf(id)).check_at ?? '') - Date.now())
      .toBeGreaterThan(3_600_000);
    expect(await copyOf(id)).toMatchObject({ state: 'verified', verified_at: before });
  });
});
