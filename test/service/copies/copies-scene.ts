import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Copy, CopyAction, CopyPage } from '../../../src-main/service/contract/copies/copies.ts';
import { asWindow } from '../as-window.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { startAlteringProxy, type AlteringProxy } from './altering-proxy.ts';

const big = randomBytes(5_000_000);

/** A service that sends copies, and one that receives them behind a proxy that can alter what it passes on. */
export function useCopies() {
  const scene = {} as {
    here: TestService;
    far: TestService;
    proxy: AlteringProxy;
    serverId: number;
    alice: number;
    farToken: string;
  };

  let run = 0;

  beforeAll(async () => {
    scene.far = await startTestService({ database: null });
    const farAlice = await scene.far.user('alice');
    scene.farToken = await scene.far.token(farAlice, ['write_measurement']);
  });
  afterAll(async () => scene.far.end());

  beforeEach(async () => {
    scene.here = await startTestService({ database: null });
    scene.proxy = await startAlteringProxy(scene.far.url);
    scene.alice = await scene.here.user('alice', true);
    const { servers } = scene.here.services;
    scene.serverId =
      (await servers.create({ name: 'Facility', base_url: scene.proxy.url, certificate: null, token: scene.farToken }))
        ?.id ?? 0;
  });
  afterEach(async () => {
    await scene.here.end();
    await scene.proxy.end();
  });

  async function measurement(): Promise<string> {
    run += 1;
    await addMeasurement(scene.here, scene.alice, `run-${run}`, [
      { path: 'a/empty.dat', bytes: '' },
      { path: 'a/scan.bin', bytes: big },
      { path: 'note.txt', bytes: `run ${run}` },
    ]);
    return `run-${run}`;
  }

  async function copyOf(id: string): Promise<Copy> {
    const { body } = await asWindow(scene.here, 'GET', `/api/v4/local/copies?measurement_id=${id}`);
    const [copy] = (body as CopyPage).items;
    if (!copy) throw new Error(`no copy of ${id}`);
    return copy;
  }

  async function keepCopy(id: string): Promise<void> {
    const { status } = await asWindow(scene.here, 'POST', '/api/v4/local/copies', {
      server_id: scene.serverId,
      measurement_ids: [id],
    });
    expect(status).toBe(202);
  }

  async function reaches(id: string, state: Copy['state']): Promise<Copy> {
    await expect.poll(async () => (await copyOf(id)).state, { timeout: 30_000 }).toBe(state);
    return copyOf(id);
  }

  async function act(action: CopyAction, ids: readonly number[] | 'all'): Promise<number> {
    const { body } = await asWindow(scene.here, 'POST', '/api/v4/local/copies/actions', { action, ids });
    return (body as { readonly changed: number }).changed;
  }

  return Object.assign(scene, { measurement, keepCopy, reaches, act, copyOf });
}
