import { hash } from 'node:crypto';
import { createFirstUser, createUser } from '../../../src-main/service/accounts/users/create-user.ts';
import type { CreatedApplication } from '../../../src-main/service/contract/applications.ts';
import { browserAt, csrfOf } from '../../service/browser.ts';
import { addMeasurement } from '../../service/fixture-measurement.ts';
import { startTestService, type TestService } from '../../service/start.ts';

/** A registered application with its secret. */
export interface Registered {
  readonly id: number;
  readonly clientId: string;
  /** Empty for a public application. */
  readonly secret: string;
}

export interface Wish {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly confidential: boolean;
  readonly deviceGrant?: boolean;
}

/** Our service with a user and data to fetch. */
export interface Provider {
  readonly service: TestService;
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Registers an application over HTTP, as the screens do. */
  register(wish: Wish): Promise<Registered>;
  /** The address of a file that alice may fetch, and its SHA-256. */
  readonly download: string;
  readonly downloadDigest: string;
  /** A personal access token of alice with the scope `api`, valid for a month. */
  personalToken(): Promise<string>;
  /** Status of the user request with a token. */
  statusOf(accessToken: string): Promise<number>;
  end(): Promise<void>;
}

const content = Buffer.from('time;signal\n0;1.25\n'.repeat(1000));

/** Starts a service with alice, who is no administrator and may fetch one measurement. */
export async function startProvider(): Promise<Provider> {
  const service = await startTestService();
  const owner = { username: 'grace', name: 'Grace', email: null, password: 'the owner of this server', isAdmin: true };
  const grace = await createFirstUser(service.services, owner);
  const screens = browserAt(service);
  await screens.signIn(owner.username, owner.password);
  const headers = { 'x-csrf-token': await csrfOf(screens) };
  const password = 'correct horse & battery + staple';
  const wish = { username: 'alice', name: 'Alice Ångström', email: 'alice@example.com', password, isAdmin: false };
  const alice = await createUser(service.services, wish, { userId: grace.id, address: null });
  await addMeasurement(service, alice.id, 'QX-7', [{ path: 'run-1.csv', bytes: content }]);
  return {
    service,
    url: service.url,
    username: wish.username,
    password,
    download: `${service.url}/measurements/QX-7/files/0`,
    downloadDigest: hash('sha256', content),
    register: async ({ name, redirectUris, scopes, confidential, deviceGrant = false }) => {
      const body = { name, redirect_uris: redirectUris, scopes, confidential, device_grant: deviceGrant };
      const answer = await screens.send('POST', '/api/v4/user/applications', body, headers);
      if (answer.status !== 201)
        throw new Error(`registering ${name} was answered with ${answer.status}: ${await answer.text()}`);
      const created = (await answer.json()) as CreatedApplication;
      return { id: created.id, clientId: created.client_id, secret: created.client_secret ?? '' };
    },
    personalToken: () => service.token(alice.id, ['api'], Date.now() + 30 * 86_400_000),
    statusOf: async (accessToken) =>
      (await fetch(`${service.url}/api/v4/user`, { headers: { authorization: `Bearer ${accessToken}` } })).status,
    end: () => service.end(),
  };
}
