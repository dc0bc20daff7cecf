import { access } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keptForMs } from '../../../../src-main/service/measurements/removed/keep-removed.ts';
import { continueRemovals } from '../../../../src-main/service/measurements/removed/purge-removed.ts';
import { sweepLibrary } from '../../../../src-main/service/measurements/storage/library-sweep.ts';
import { removeAbandoned } from '../../../../src-main/service/measurements/registration/remove.ts';
import { asWindow } from '../../as-window.ts';
import { makeFiles, register, registered } from '../registration/support.ts';
import { removedPath, signal, useRemoved } from './removed-scene.ts';

const { service, rowsOf, remove, only, list, objects } = useRemoved();

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
