import { expect, test } from 'vitest';
import { keepRemoved } from '../../../../src-main/service/measurements/removed/keep-removed.ts';
import { continueRemovals } from '../../../../src-main/service/measurements/removed/purge-removed.ts';
import { restoreRemoved } from '../../../../src-main/service/measurements/removed/restore-removed.ts';
import { sweepLibrary } from '../../../../src-main/service/measurements/storage/library-sweep.ts';
import { removeAbandoned } from '../../../../src-main/service/measurements/registration/remove.ts';
import { asWindow } from '../../as-window.ts';
import { register, registered } from '../registration/support.ts';
import { removedPath, signal, useRemoved } from './removed-scene.ts';

const { service, remove, only, list, rowsOf, objects } = useRemoved();

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

test('what is removed while it is being registered is not kept', async () => {
  const { services } = service;
  await services.registrations.reserve({ id: 'half', title: '', ownerId: 1, storage: 'library', root: '' });
  expect(await keepRemoved(services, 'half', null)).toBeNull();
  expect(await services.measurements.byId('half')).toBeNull();
  expect(await keepRemoved(services, 'half', null)).toBeNull();
});
