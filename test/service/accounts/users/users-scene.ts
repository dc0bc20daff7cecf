import { beforeEach } from 'vitest';
import { createFirstUser } from '../../../../src-main/service/accounts/users/create-user.ts';
import { useFreshService } from '../../use-service.ts';
import { browserAt } from '../../browser.ts';
import { password, withCsrf, type SignedIn } from '../second-factor-browser.ts';

export const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;

/** A new service for each test, with its first administrator signed in. */
export function useOwner() {
  const service = useFreshService();
  const scene = {} as { owner: SignedIn };

  beforeEach(async () => {
    const user = await createFirstUser(service.services, {
      username: 'alice',
      name: 'Alice',
      email: null,
      password,
      isAdmin: true,
    });
    const browser = browserAt(service);
    await browser.signIn('alice', password);
    scene.owner = await withCsrf(browser, user.id);
  });

  return Object.assign(scene, { service });
}
