import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { asWindow } from '../as-window.ts';
import { addMeasurement, changeSeen, openBeside } from '../fixture-measurement.ts';
import { useCopies } from './copies-scene.ts';

const scene = useCopies();
const { measurement, keepCopy, reaches, copyOf, act } = scene;

describe('what cannot be sent', () => {
  test('asks when the token is refused, and goes on with another one', async () => {
    const id = await measurement();
    const { servers } = scene.here.services;
    await servers.update(scene.serverId, { token: 'wrong' });
    await keepCopy(id);
    expect((await reaches(id, 'asking')).reason).toBe('token-refused');
    await servers.update(scene.serverId, { token: scene.farToken });
    scene.here.services.events.emit('changed', { topic: 'servers' });
    await reaches(id, 'verified');
  });

  test('fails when another measurement has the id there', async () => {
    const id = await measurement();
    const farAlice = (await scene.far.services.users.byUsername('alice'))?.id ?? 0;
    await addMeasurement(scene.far, farAlice, id, [{ path: 'other', bytes: 'other' }]);
    await keepCopy(id);
    expect(await reaches(id, 'failed')).toMatchObject({ reason: 'id-taken', has_receipt: false });
  });

  test('fails when a file here was changed', async () => {
    const id = await measurement();
    const root = (await scene.here.services.measurements.byId(id))?.root ?? '';
    await writeFile(path.join(root, 'note.txt'), 'changed');
    await keepCopy(id);
    await expect.poll(async () => (await copyOf(id)).reason, { timeout: 20_000 }).toBe('not-intact');
    expect(await scene.far.services.measurements.byId(id)).toBeNull();
  });

  test('is left out when it is not whole, and refused when it is unknown', async () => {
    const id = await measurement();
    openBeside(scene.here)
      .prepare(`UPDATE measurements SET state = 'degraded', problem_count = 1 WHERE id = ?`)
      .run(id);
    await changeSeen(scene.here);
    const request = { server_id: scene.serverId, measurement_ids: [id] };
    const { body } = await asWindow(scene.here, 'POST', '/api/v4/local/copies', request);
    expect(body).toEqual({ added: 0, known: 0, left_out: 1 });
    const unknown = { server_id: scene.serverId, measurement_ids: ['nothing'] };
    expect((await asWindow(scene.here, 'POST', '/api/v4/local/copies', unknown)).status).toBe(404);
    expect(
      (await asWindow(scene.here, 'POST', '/api/v4/local/copies', { server_id: 99, measurement_ids: [id] })).status,
    ).toBe(404);
    expect((await asWindow(scene.here, 'POST', '/api/v4/local/copies', { server_id: scene.serverId })).status).toBe(
      400,
    );
  });

  test('waits while its server is removed', async () => {
    const id = await measurement();
    await scene.here.services.servers.remove(scene.serverId);
    await scene.here.services.copies.add(
      [
        {
          measurement_id: id,
          title: id,
          manifest_sha256: (await scene.here.services.measurements.byId(id))?.archive_tag ?? '',
          base_url: scene.proxy.url,
          server_id: scene.serverId,
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
    scene.proxy.alter = ({ method }) => (method === 'PATCH' ? held.promise : null);
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
  scene.proxy.alter = ({ method }) => (method === 'PATCH' ? held.promise : null);
  await keepCopy(id);
  await expect.poll(async () => scene.far.services.uploads.receiving(id)).not.toBeNull();
  await expect.poll(async () => (await scene.here.services.copyList.verifiedOf(id, 0)).length).toBe(0);
  await expect.poll(() => scene.proxy.seen.some((line) => line.startsWith('PATCH'))).toBe(true);
  await act('cancel', 'all');
  held.resolve(null);
  await expect.poll(async () => scene.far.services.uploads.receiving(id), { timeout: 10_000 }).toBeNull();
  await expect.poll(async () => scene.here.services.copies.unfinished(1)).toEqual([]);
  expect((await copyOf(id)).state).toBe('cancelled');
});
