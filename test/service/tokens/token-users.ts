import { password, startTokenWorld, type TokenWorld } from './token-world.ts';
import { browserAt, csrfOf, type Browser } from '../browser.ts';

/** The endpoint that creates tokens. */
export const create = '/api/v4/user/personal_access_tokens';

export interface TokenUsers extends Pick<TokenWorld, 'service' | 'adminToken' | 'end'> {
  /** The signed-in browser of alice, and the headers of its writes. */
  readonly alice: Browser;
  readonly csrf: string;
  readonly aliceId: number;
  readonly bobId: number;
}

/** A service with alice, who is signed in, bob and an administrator. */
export async function startTokenUsers(): Promise<TokenUsers> {
  const { service, alice: aliceId, bob: bobId, adminToken } = await startTokenWorld();
  const alice = browserAt(service);
  await alice.signIn('alice', password);
  return { service, end: () => service.end(), alice, csrf: await csrfOf(alice), aliceId, bobId, adminToken };
}
