import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { RemovedMeasurement } from '../../../../src-main/service/contract/removed/removed-measurements.ts';
import { keepRemoved, keptForMs } from '../../../../src-main/service/measurements/removed/keep-removed.ts';
import { continueRemovals } from '../../../../src-main/service/measurements/removed/purge-removed.ts';
import { restoreRemoved } from '../../../../src-main/service/measurements/removed/restore-removed.ts';
import { sweepLibrary } from '../../../../src-main/service/measurements/storage/library-sweep.ts';
import { removeAbandoned } from '../../../../src-main/service/measurements/registration/remove.ts';
import { read } from '../../../../src-main/service/database/port/query.ts';
import { asWindow } from '../../as-window.ts';
import { useFreshWorld } from '../../use-service.ts';
import { makeFiles, register, registered, startWithFolder } from '../registration/support.ts';

const service = useFreshWorld(startWithFolder);
const { signal } = new AbortController();
const removedPath = '/api/v4/removed_measurements';

beforeEach(async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha', 'b.txt': 'bravo', 'sub/large.bin': Buffer.alloc(4_200_000, 7) });
});

async function objects(): Promise<number> {
  const found = await readdir(service.services.paths.library, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).length;
}

async function list(query = ''): Promise<readonly RemovedMeasurement[]> {
  return (await asWindow(service, 'GET', `${removedPath}${query}`)).body as readonly RemovedMeasurement[];
}

async function only(): Promise<RemovedMeasurement> {
  const [first, ...more] = await list();
  if (!first || more.length > 0) throw new Error(`${more.length} more are removed`);
  return first;
}

async function remove(id: string): Promise<void> {
  expect((await asWindow(service, 'DELETE', `/api/v4/measurements/${id}`)).status).toBe(204);
}

/** All rows of a measurement, but for the number in the order of all measurements. */
async function rowsOf(id: string): Promise<unknown> {
  const { database } = service.services;
  const of = async (table: string, column: string, order: string) =>
    database.all(read<[string], object>(`SELECT * FROM ${table} WHERE ${column} = ? ORDER BY ${order}`), id);
  const [measurement] = (await of('measurements', 'id', 'id')) as { number?: unknown }[];
  delete measurement?.number;
  return {
    measurement,
    files: await of('measurement_files', 'measurement_id', 'idx'),
    blocks: await of('measurement_blocks', 'measurement_id', 'idx, page'),
    pieces: await of('measurement_pieces', 'measurement_id', 'idx, page'),
    grants: await of('grants', 'measurement_id', 'id'),
    leftOut: await of('measurement_left_out', 'measurement_id', 'total'),
    access: await of('measurement_access', 'measurement_id', 'reader'),
  };
}

test.each([true, false])('a removed measurement is restored with every row as it was (copied: %s)', async (copy) => {
  await register(service, { path: service.run, copy });
  const bob = await service.user('bob');
  const { services } = service;
  await services.grants.grant('run', { userId: bob }, 4_000_000_000_000, null);
  await services.grants.grant('run', { everyone: true }, null, null);
  await services.leftOut.keep('run', 2, ['one', 'two']);
  const before = await rowsOf('run');
  const bobToken = await service.token(bob, ['read_api']);
  const asBob = async () =>
    (await fetch(`${service.url}/measurements/run`, { headers: { authorization: `Bearer ${bobToken}` } })).status;
  expect(await asBob()).toBe(200);

  await remove('run');
  expect(await asBob()).toBe(404);
  expect((await asWindow(service, 'GET', '/api/v4/measurements')).body).toEqual([]);
  expect((await asWindow(service, 'GET', '/api/v4/measurements?search=run')).body).toEqual([]);
  const removed = await only();
  expect(removed).toMatchObject({
    measurement_id: 'run',
    storage: copy ? 'library' : 'reference',
    file_count: 3,
    total_bytes: 4_200_010,
    owner: { username: 'alice' },
    removed_by: 'alice',
  });
  expect(Date.parse(removed.restorable_until) - Date.parse(removed.removed_at)).toBe(keptForMs);
  await sweepLibrary(services);
  await removeAbandoned(services);
  await continueRemovals(services, Date.now(), signal);

  const answer = await asWindow(service, 'POST', `${removedPath}/${removed.id}/restore`);
  expect([answer.status, answer.body]).toMatchObject([200, { id: 'run', state: 'available' }]);
  expect(await rowsOf('run')).toEqual(before);
  expect(await list()).toEqual([]);
  expect(await asBob()).toBe(200);
  await registered(service, 'run', service.run);
  expect((await asWindow(service, 'POST', `${removedPath}/${removed.id}/restore`)).status).toBe(404);
});

test('a removed measurement is purged after seven days with the files that only it uses', async () => {
  await register(service, { path: service.run, copy: true });
  await makeFiles(service.run, { 'c.txt': 'charlie' });
  await register(service, { path: service.run, copy: true });
  expect(await objects()).toBe(4);
  await remove('run-2');
  const until = Date.parse((await only()).restorable_until);
  await continueRemovals(service.services, until - 1, signal);
  expect([(await list()).length, await objects()]).toEqual([1, 4]);
  await continueRemovals(service.services, until, signal);
  expect([(await list()).length, await objects()]).toEqual([0, 3]);
  await registered(service, 'run', service.run).catch(() => undefined);
  await remove('run');
  expect((await asWindow(service, 'DELETE', `${removedPath}/${(await only()).id}`)).status).toBe(204);
  expect([(await list()).length, await objects()]).toEqual([0, 0]);
  expect((await asWindow(service, 'GET', '/api/v4/audit_events')).body).toMatchObject([
    { action: 'measurement.purge', subject: 'measurement:run', detail: '3 files' },
    { action: 'measurement.remove' },
    { action: 'measurement.remove' },
    {},
    {},
  ]);
});

test('files outside the library are touched by no removal', async () => {
  await register(service, { path: service.run });
  await remove('run');
  expect((await asWindow(service, 'DELETE', `${removedPath}/${(await only()).id}`)).status).toBe(204);
  await access(path.join(service.run, 'a.txt'));
});

test('an id that was given again is not taken away, and its measurement stays as it is', async () => {
  await register(service, { path: service.run, copy: true });
  await remove('run');
  await makeFiles(service.run, { 'd.txt': 'delta' });
  await register(service, { path: service.run, copy: true, id: 'RUN' });
  const other = await rowsOf('RUN');
  const { id } = await only();
  const answer = await asWindow(service, 'POST', `${removedPath}/${id}/restore`);
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { detail: expect.stringContaining('There is another measurement run now.') },
  ]);
  expect(await rowsOf('RUN')).toEqual(other);
  await remove('RUN');
  expect((await list('?measurement_id=run')).map((row) => row.id)).toEqual([id]);
  expect((await asWindow(service, 'POST', `${removedPath}/${id}/restore`)).status).toBe(200);
  expect((await list()).map((row) => row.measurement_id)).toEqual(['RUN']);
});

test('only the owner and administrators see, restore and purge', async () => {
  const bob = await service.user('bob');
  const token = await service.token(bob, ['api']);
  await register(service, { path: service.run });
  await service.services.grants.grant('run', { userId: bob }, null, null);
  await remove('run');
  const { id } = await only();
  const asBob = async (method: string, url: string) =>
    fetch(service.url + url, { method, headers: { authorization: `Bearer ${token}` } });
  expect(await (await asBob('GET', removedPath)).json()).toEqual([]);
  expect((await asBob('POST', `${removedPath}/${id}/restore`)).status).toBe(404);
  expect((await asBob('DELETE', `${removedPath}/${id}`)).status).toBe(404);
  expect((await asBob('POST', `${removedPath}/x/restore`)).status).toBe(400);
  expect(await list()).toHaveLength(1);
});

test('what was removed counts against the quota until it is purged', async () => {
  await register(service, { path: service.run, copy: true });
  const { services } = service;
  const [owner] = [(await services.measurements.byId('run'))?.owner_id ?? 0];
  const used = async () => (await services.quotas.ofUser(owner)).usedBytes;
  expect(await used()).toBe(4_200_010);
  await remove('run');
  expect(await used()).toBe(4_200_010);
  expect(await services.objects.any()).toBe(false);
  const { id } = await only();
  await asWindow(service, 'POST', `${removedPath}/${id}/restore`);
  expect(await used()).toBe(4_200_010);
  await remove('run');
  await asWindow(service, 'DELETE', `${removedPath}/${(await only()).id}`);
  expect(await used()).toBe(0);
});

test('an owner is not deleted while what was removed can be restored', async () => {
  const bob = await service.user('bob');
  await register(service, { path: service.run });
  await service.services.database.transaction(function* () {
    yield {
      how: 'run',
      query: { text: 'UPDATE measurements SET owner_id = ?', firstColumn: false, writes: true },
      values: [bob],
    };
  });
  await remove('run');
  const answer = await asWindow(service, 'DELETE', `/api/v4/users/${bob}`);
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { detail: expect.stringContaining('run (removed, but not for good)') },
  ]);
});

test('of two who restore at once one does, and a purge at the same time takes nothing from it', async () => {
  await register(service, { path: service.run, copy: true });
  for (let round = 0; round < 8; round += 1) {
    await remove('run');
    const { id } = await only();
    const statuses = await Promise.all(
      [
        ['POST', `${removedPath}/${id}/restore`],
        ['POST', `${removedPath}/${id}/restore`],
        ...(round % 2 ? [['DELETE', `${removedPath}/${id}`]] : []),
      ].map(async ([method = '', url = '']) => (await asWindow(service, method, url)).status),
    );
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    if (statuses[2] === 204) {
      expect(await service.services.measurements.byId('run')).toBeNull();
      await register(service, { path: service.run, copy: true });
    }
    await registered(service, 'run', service.run);
    expect(await list()).toEqual([]);
  }
});

test('of a restore and a new registration of the same id one gets it', async () => {
  await register(service, { path: service.run, copy: true });
  for (let round = 0; round < 4; round += 1) {
    await remove('run');
    const [{ id } = { id: 0 }] = await list();
    const [restored, again] = await Promise.all([
      asWindow(service, 'POST', `${removedPath}/${id}/restore`),
      register(service, { path: service.run, copy: true, id: 'run' }).then(
        () => true,
        () => false,
      ),
    ]);
    expect([restored.status, again]).toEqual(again ? [409, true] : [200, false]);
    await registered(service, 'run', service.run);
  }
});

test('a removal, restore or purge that was interrupted at any step is continued', async () => {
  const { services } = service;
  await register(service, { path: service.run, copy: true });
  const before = await rowsOf('run');
  const now = Date.now();
  const keep = async (keptId: string) => {
    const kept = await services.removed.keep({ measurementId: 'run', keptId, by: null, now, expiresAt: now + 1000 });
    if (kept.outcome !== 'kept') throw new Error(kept.outcome);
    return kept.number;
  };
  const upkeep = async (at = now) => {
    // Neither takes what is on its way for what was abandoned.
    await removeAbandoned(services);
    await sweepLibrary(services);
    await continueRemovals(services, at, signal);
  };
  for (const steps of [0, 1, 2, 3]) {
    const number = await keep(`-00000000-0000-4000-8000-00000000000${steps}`);
    for (let step = 0; step < steps; step += 1) await services.removed.putAside(number, 1);
    await upkeep();
    expect(await services.measurements.byId('run')).toBeNull();
    expect(await only()).toMatchObject({ id: number });
    expect(await services.removed.beginRestoring(number)).toBe('begun');
    await expect(keepRemoved(services, 'run', null)).rejects.toMatchObject({ status: 409 });
    for (let step = 0; step < steps; step += 1) await services.removed.putBack(number, 1);
    await upkeep();
    expect(await rowsOf('run')).toEqual(before);
  }
  // Asked for again, the removal that was begun is completed; restored at once, too.
  const number = await keep('-00000000-0000-4000-8000-000000000004');
  await services.removed.putAside(number, 1);
  expect(await keepRemoved(services, 'run', null)).toMatchObject({ id: number, stage: 'kept' });
  const row = await services.removed.byNumber(number);
  if (!row) throw new Error('it is gone');
  await restoreRemoved(services, row);
  expect(await rowsOf('run')).toEqual(before);
  for (const steps of [0, 1, 3]) {
    const again = (await keepRemoved(services, 'run', null)) ?? { id: 0, kept_id: '' };
    expect(await services.removed.beginPurging(again.id)).toBe(true);
    for (let step = 0; step < steps; step += 1) await services.registrations.dropFiles(again.kept_id, 1, null);
    await upkeep();
    await sweepLibrary(services);
    expect([await objects(), await services.measurements.byId(again.kept_id)]).toEqual([0, null]);
    await register(service, { path: service.run, copy: true });
  }
});

test('many are removed and restored at once', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => `many-${at}`);
  for (const id of ids) await register(service, { path: service.run, id });
  await Promise.all(ids.map(async (id) => remove(id)));
  const first = await list('?per_page=50');
  const second = await list('?per_page=50&page=2');
  expect([first.length, second.length]).toEqual([50, 10]);
  await Promise.all(
    [...first, ...second].map(async ({ id }) => {
      expect((await asWindow(service, 'POST', `${removedPath}/${id}/restore`)).status).toBe(200);
    }),
  );
  expect(await list()).toEqual([]);
  expect((await asWindow(service, 'GET', '/api/v4/measurements?per_page=100')).body).toHaveLength(60);
});

test('what is removed while it is being registered is not kept', async () => {
  const { services } = service;
  await services.registrations.reserve({ id: 'half', title: '', ownerId: 1, storage: 'library', root: '' });
  expect(await keepRemoved(services, 'half', null)).toBeNull();
  expect(await services.measurements.byId('half')).toBeNull();
  expect(await keepRemoved(services, 'half', null)).toBeNull();
});
