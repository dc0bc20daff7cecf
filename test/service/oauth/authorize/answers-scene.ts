import { beforeAll } from 'vitest';
import type { Browser } from '../../browser.ts';
import { errorAt, registerPublic, startProvider } from '../authorize-fixture.ts';
import { useWorld } from '../../use-service.ts';

/** A provider with a signed-in user and clients of three kinds. */
export function useAnswers() {
  const provider = useWorld(startProvider);
  const scene = {} as { bob: Browser; confidential: string; publicClient: string; legacy: string };

  beforeAll(async () => {
    scene.bob = await provider.signedIn('bob');
    scene.confidential = (await provider.register()).application.clientId;
    scene.publicClient = await registerPublic(provider);
    scene.legacy = (await provider.register({ legacyImplicit: true })).application.clientId;
  });

  const errorOf = async (path: string, browser = scene.bob) => errorAt(browser, path);

  return Object.assign(scene, { provider, errorOf });
}
