import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { asWindow } from '../as-window.ts';
import { useCopies } from './copies-scene.ts';

const scene = useCopies();
const { measurement, keepCopy, reaches, copyOf, act } = scene;

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
    const row = await scene.far.services.measurements.byId(damaged);
    const file = (await scene.far.services.files.at(damaged, 1))?.location ?? '';
    await rm(path.join(scene.far.services.paths.library, file));
    expect(row?.storage).toBe('library');
    const { removeMeasurement } = await import('../../../src-main/service/measurements/registration/remove.ts');
    await removeMeasurement(scene.far.services, removed);
    await act('check', 'all');
    expect((await reaches(removed, 'failed')).reason).toBe('copy-removed');
    expect(['copy-removed', 'bytes-differ']).toContain((await reaches(damaged, 'failed')).reason);
    const audited = await asWindow(scene.here, 'GET', '/api/v4/audit_events?action=measurement.copy-lost');
    expect(audited.body).toHaveLength(2);
    const counts = await scene.here.services.copyList.verifiedCounts([removed, damaged], 0);
    expect(counts.size).toBe(0);
  });

  test('is made again when the clock was set back', async () => {
    const id = await verifiedCopy();
    const { id: copy, verified_at: before } = await copyOf(id);
    await scene.here.services.copies.checkAgainAt(copy, Date.now() + 400 * 86_400_000);
    await expect.poll(async () => (await copyOf(id)).verified_at, { timeout: 10_000 }).not.toBe(before);
  });

  test('takes a page of a server in between for no statement about the copy', async () => {
    const id = await verifiedCopy();
    const { id: copy, verified_at: before } = await copyOf(id);
    scene.proxy.alter = ({ path: route }) => (route.endsWith('/challenge') ? { status: 404, body: {} } : null);
    await act('check', [copy]);
    await expect
      .poll(async () => Date.parse((await copyOf(id)).check_at ?? '') - Date.now())
      .toBeGreaterThan(3_600_000);
    expect(await copyOf(id)).toMatchObject({ state: 'verified', verified_at: before });
  });

  test('leaves the copy as it was while the server is away', async () => {
    const id = await verifiedCopy();
    const { id: copy, verified_at: before } = await copyOf(id);
    scene.proxy.alter = () => 'cut';
    await act('check', [copy]);
    await expect.poll(() => scene.proxy.seen.at(-1)).toContain('/challenge');
    await expect
      .poll(async () => Date.parse((await copyOf(id)).check_at ?? '') - Date.now())
      .toBeGreaterThan(3_600_000);
    expect(await copyOf(id)).toMatchObject({ state: 'verified', verified_at: before });
  });
});
