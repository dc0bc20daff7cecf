import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startTestService, type TestService } from './start.ts';

interface World {
  end(): Promise<unknown>;
}

/** A world for all tests of the file that calls this; its members exist while a test runs. */
export function useWorld<Started extends World>(start: () => Promise<Started>): Started {
  const world = {} as Started;
  beforeAll(async () => void Object.defineProperties(world, Object.getOwnPropertyDescriptors(await start())));
  afterAll(() => world.end());
  return world;
}

/** A new world for each test of the file that calls this; its members exist while a test runs. */
export function useFreshWorld<Started extends World>(start: () => Promise<Started>): Started {
  const world = {} as Started;
  beforeEach(async () => void Object.defineProperties(world, Object.getOwnPropertyDescriptors(await start())));
  afterEach(() => world.end());
  return world;
}

type Config = Parameters<typeof startTestService>[0];

/** A service for all tests of the file that calls this. */
export function useTestService(config?: Config): TestService {
  return useWorld(() => startTestService(config));
}

/** A new service for each test of the file that calls this. */
export function useFreshService(config?: Config): TestService {
  return useFreshWorld(() => startTestService(config));
}

/** A user with a personal access token. */
export interface TokenUser {
  readonly id: number;
  readonly token: string;
  /** Sends a GET with the token, unless the headers have another credential. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends JSON with the token. */
  send(method: string, path: string, body?: object): Promise<Response>;
}

/** A user of a service of `useTestService`, who exists while a test runs. */
export function useUser(
  service: TestService,
  username: string,
  { scopes, admin }: { readonly scopes?: readonly string[]; readonly admin?: boolean } = {},
): TokenUser {
  const authorization = () => `Bearer ${user.token}`;
  const user = {
    id: 0,
    token: '',
    get: (path: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(service.url + path, { headers: { authorization: authorization(), ...headers } }),
    send: (method: string, path: string, body?: object) =>
      fetch(service.url + path, {
        method,
        headers: { authorization: authorization(), ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
  };
  beforeAll(async () => {
    user.id = await service.user(username, admin);
    user.token = await service.token(user.id, scopes);
  });
  return user;
}
