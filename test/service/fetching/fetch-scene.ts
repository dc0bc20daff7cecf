import { expect } from 'vitest';
import type { Fetch, FetchAction } from '../../../src-main/service/contract/fetches.ts';
import { asWindow, type Answer } from '../as-window.ts';
import { useFarAndHere } from './far-and-here.ts';

export const note = 'a note\n';
export const trace = Buffer.from(Array.from({ length: 3_000_000 }, (_none, at) => (at * 7919) % 251));

/** A service with a measurement, and for each test a new one that fetches from it. */
export function useFetches() {
  const scene = useFarAndHere('run-1', [
    { path: 'note.txt', bytes: note },
    { path: 'raw/empty.dat', bytes: '' },
    { path: 'raw/trace.bin', bytes: trace },
  ]);

  async function get<T>(url: string): Promise<T> {
    const { status, body } = await asWindow(scene.here, 'GET', `/api/v4/local/${url}`);
    expect(status, url).toBe(200);
    return body as T;
  }

  const post = async (body: object): Promise<Answer> => {
    const wish = { server_id: scene.serverId, what: 'files', target: scene.dir, ...body };
    return asWindow(scene.here, 'POST', '/api/v4/local/fetches', wish);
  };

  const act = async (action: FetchAction, ids: readonly number[] | 'all') =>
    (await asWindow(scene.here, 'POST', '/api/v4/local/fetches/actions', { action, ids })).body;

  async function add(body: object = {}): Promise<Fetch> {
    const answer = await post({ measurement_id: 'run-1', ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body as Fetch;
  }

  return Object.assign(scene, { get, post, act, add });
}
