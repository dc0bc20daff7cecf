import http from 'node:http';
import type { Sharing, SharingChange } from '../../../src-main/service/contract/sharing.ts';
import type { LanAddress } from '../../../src-main/service/http/server/lan-addresses.ts';
import { freePort } from '../../free-port.ts';
import { asWindow, type Answer } from '../as-window.ts';
import { startTestService, type TestService } from '../start.ts';
import { until } from '../until.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { zeros } from '../zeros.ts';

/** A second loopback address stands for one on the network, so that tests need no network. */
export const lan: LanAddress = { name: 'eth0', address: '127.0.0.2', family: 'IPv4' };
export const otherLan: LanAddress = { name: 'eth1', address: '127.0.0.3', family: 'IPv4' };

export interface LanWorld {
  readonly service: TestService;
  readonly ownerId: number;
  /** The addresses of this machine, which a test may change as if a cable were pulled. */
  addresses: readonly LanAddress[];
  share(change: SharingChange): Promise<Answer>;
  state(): Promise<Sharing>;
  /** Shares on a free port by http. @returns the shared address. */
  shared(): Promise<string>;
  untilState(condition: (state: Sharing) => boolean, what: string): Promise<void>;
  end(): Promise<void>;
}

/** A service with a window whose owner, alice, has a password. */
export async function lanWorld(overrides: Parameters<typeof startTestService>[0] = {}): Promise<LanWorld> {
  const around = { addresses: [lan] as readonly LanAddress[] };
  const service = await startTestService({
    ...overrides,
    sharing: { addresses: () => around.addresses, checkEveryMs: 40, ...overrides.sharing },
  });
  const ownerId = (await service.services.users.byUsername('alice'))?.id ?? (await service.user('alice', true));
  await service.services.users.setPassword(ownerId, 'not a hash, and not asked for here');
  const share = (change: SharingChange) => asWindow(service, 'PATCH', '/api/v4/local/sharing', change);
  const state = async () => (await asWindow(service, 'GET', '/api/v4/local/sharing')).body as Sharing;
  return {
    service,
    ownerId,
    get addresses() {
      return around.addresses;
    },
    set addresses(addresses) {
      around.addresses = addresses;
    },
    share,
    state,
    shared: async () => {
      const { url } = (await share({ on: true, port: await freePort(lan.address), announce: false, tls: false }))
        .body as Sharing;
      if (url === null) throw new Error(`not shared: ${JSON.stringify(await state())}`);
      return url;
    },
    untilState: (condition, what) => until(async () => condition(await state()), what),
    end: () => service.end(),
  };
}

/** The status of a request with any `Host` header, which `fetch` does not permit. */
export function statusAt(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { headers, method, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end();
  });
}

export interface LanMeasurement extends LanWorld {
  readonly token: string;
  readonly bearer: { readonly authorization: string };
}

/** A LAN world with the measurement `qmr-114`, whose second file has 32 MiB, and a token of alice. */
export async function lanMeasurement(): Promise<LanMeasurement> {
  const world = await lanWorld();
  const { service, ownerId } = world;
  const token = await service.token(ownerId, ['api']);
  await addMeasurement(service, ownerId, 'qmr-114', [
    { path: 'a.txt', bytes: 'hello, network' },
    await zeros(service, 'qmr-114', 'big.raw', 32 * 1024 * 1024),
  ]);
  return Object.defineProperties(
    { token, bearer: { authorization: `Bearer ${token}` } },
    Object.getOwnPropertyDescriptors(world),
  ) as LanMeasurement;
}
