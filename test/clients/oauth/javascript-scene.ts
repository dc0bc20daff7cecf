import { hash } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { startProvider, type Provider } from './start-provider.ts';

export const redirectUri = 'http://127.0.0.1:49152/callback';
export const scope = 'read_user read_measurement';
export const digestOf = async (response: Response) => hash('sha256', Buffer.from(await response.arrayBuffer()));

/** A provider for the libraries of JavaScript. */
export function useProvider() {
  const scene = {} as { provider: Provider };
  beforeAll(async () => (scene.provider = await startProvider()));
  afterAll(() => scene.provider.end());

  return scene;
}
