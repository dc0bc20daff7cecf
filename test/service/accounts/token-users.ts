import { createUser } from '../../../src-main/service/accounts/create-user.ts';
import { startTestService, type TestService } from '../start.ts';
import { browserAt, csrfOf, type Browser } from './browser.ts';

export const day = 24 * 3600_000;
/** Where tokens are created. */
export const create = '/api/v4/user/personal_access_tokens';

export interface TokenUsers {
  readonly service: TestService;
  /** The browser of alice, who is signed in, and what its writes carry. */
  readonly alice: Browser;
  readonly csrf: string;
  readonly aliceId: number;
  readonly bobId: number;
  readonly adminToken: string;
}

/** A service with alice, who is signed in, bob and an administrator. */
export async function startTokenUsers(): Promise<TokenUsers> {
  const service = await startTestService();
  const adminToken = await service.token(await service.user('steward', true), ['api']);
  const password = 'a long password';
  const wish = { username: 'alice', name: 'Alice', email: 'alice@bench.example', password, isAdmin: false };
  const aliceId = (await createUser(service.services, wish, null)).id;
  const bobId = await service.user('bob');
  const alice = browserAt(service);
  await alice.signIn('alice', password);
  return { service, alice, csrf: await csrfOf(alice), aliceId, bobId, adminToken };
}
