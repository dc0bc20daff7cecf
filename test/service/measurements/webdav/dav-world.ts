import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { multistatusOf, type DavResponse } from './multistatus-of.ts';

export const registeredAt = Date.UTC(2026, 8, 1, 10, 20, 31, 123);

/** A service with a measurement of folders, read by its owner alice, a program of hers, and not by bob. */
export interface DavWorld extends TestService {
  readonly aliceId: number;
  /** Tokens. */
  readonly alice: string;
  readonly bob: string;
  /** Sends a request as alice, with Basic, or with other headers. */
  dav(
    method: string,
    path: string,
    init?: { readonly headers?: Record<string, string>; readonly body?: string },
  ): Promise<Response>;
  /** Lists as alice. */
  list(path: string, depth?: string, body?: string): Promise<readonly DavResponse[]>;
}

export function basic(username: string, token: string): string {
  return `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
}

export async function startDavWorld(overrides: Parameters<typeof startTestService>[0] = {}): Promise<DavWorld> {
  const service = await startTestService(overrides);
  const [aliceId, bobId] = [await service.user('Alice'), await service.user('bob')];
  const [alice, bob] = [await service.token(aliceId, ['read_measurement']), await service.token(bobId)];
  await addMeasurement(service, aliceId, 'run-1', [
    { path: 'a.txt', bytes: 'first' },
    { path: 'raw-notes.txt', bytes: 'before the folder by order' },
    { path: 'raw/scan 1.csv', bytes: 'x,y\n1,2\n' },
    { path: 'raw/scan 2.csv', bytes: 'x,y\n3,4\n' },
    { path: 'raw/deep/ä&<"#%.bin', bytes: Buffer.alloc(5000, 7) },
    { path: 'raw.txt', bytes: 'before it too' },
    { path: 'raw0', bytes: 'after the folder by order' },
    { path: 'with/-/dash', bytes: 'as in the address of a project' },
  ]);
  const dav: DavWorld['dav'] = (method, path, { headers = {}, body } = {}) =>
    fetch(service.url + path, {
      method,
      redirect: 'manual',
      headers: { authorization: basic('alice', alice), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  return {
    ...service,
    aliceId,
    alice,
    bob,
    dav,
    list: async (path, depth = '1', body) => {
      const response = await dav('PROPFIND', path, { headers: { depth }, ...(body === undefined ? {} : { body }) });
      const text = await response.text();
      if (response.status !== 207) throw new Error(`${response.status} ${text}`);
      return multistatusOf(text);
    },
  };
}
