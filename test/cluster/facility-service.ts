import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Cluster } from '../../src-main/service/database/cluster/cluster.ts';
import type { ServiceConfig } from '../../src-main/service/config/config.ts';
import { openConfigured } from '../../src-main/service/database/engines/open-configured.ts';
import { setupCodeOf } from '../../src-main/service/first-run/setup-code.ts';
import { createLogger } from '../../src-main/service/logging/logging.ts';
import { OwnErrors } from '../../src-main/service/own-errors/own-errors.ts';
import { installationKey } from '../../src-main/service/secrets/installation-key.ts';
import type { RunningService } from '../../src-main/service/service.ts';
import { createServices, type Services } from '../../src-main/service/services.ts';
import { lowPorts } from '../free-port.ts';
import { createTestDatabase } from '../service/postgres/database.ts';
import { prepareFolder, startReplicas } from './cluster.ts';

export interface FacilityService extends RunningService {
  readonly remove: () => Promise<void>;
}

/** Settings of a test that replicas are started with; they trust the balancer in any case. */
const known: ReadonlySet<string> = new Set(['baseUrl', 'port', 'trustedProxies']);

/**
 * Three replicas behind nginx in place of one service in the process of the test. The stores are
 * those of a command on the same database: requests never meet them.
 *
 * @param config with overrides of a test, of which a facility takes the address.
 * @throws Error that names the others.
 */
export async function startFacilityService(
  config: ServiceConfig,
  overrides: Partial<ServiceConfig>,
): Promise<FacilityService> {
  const others = Object.entries(overrides).flatMap(([name, value]) =>
    known.has(name) || value === null ? [] : [name],
  );
  if (others.length > 0) throw new Error(`the replicas of a facility are not started with ${others.join(', ')}`);
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-facility-'));
  const database = await createTestDatabase();
  const [free = 0] = await lowPorts(1);
  const port = config.port === 0 ? free : config.port;
  const shared = await prepareFolder(dir);
  const baseUrl = config.baseUrl ?? `http://127.0.0.1:${port}`;
  const cluster = await startReplicas('nginx', { dir, database, baseUrl, port, count: 3 });
  const seat = {
    ...config,
    ...shared,
    dataDir: path.join(dir, 'seat'),
    baseUrl,
    window: null,
    database: { url: database.url, listenUrl: null, connections: 4 },
  };
  const opened = await openConfigured({ ...seat, process: { name: 'test', version: '1', serves: false } }, () => {});
  const log = createLogger('silent');
  const services = await createServices(seat, opened.context, log, new OwnErrors());
  return {
    url: baseUrl,
    port,
    fingerprint: null,
    services: confirmed(services, opened.context.cluster),
    setupCode: setupCodeOf(installationKey(services.secrets, log, 'the setup code')).value,
    stop: async () => opened.close(),
    remove: cluster.end,
    fail: () => {},
    parentGone: async () => undefined,
  };
}

/** Stores whose changes all replicas have seen when they return, like those of requests. */
function confirmed(services: Services, cluster: Cluster): Services {
  const wrapped = Object.entries(services).map(([name, part]: [string, unknown]) => {
    if (part === cluster || part === services.database || !isPlain(part)) return [name, part] as const;
    return [name, confirmedStore(part, cluster)] as const;
  });
  return Object.fromEntries(wrapped) as unknown as Services;
}

function isPlain(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === Object.prototype;
}

function confirmedStore(store: Readonly<Record<string, unknown>>, cluster: Cluster): Record<string, unknown> {
  const wrapped = Object.entries(store).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member] as const;
    const call = (...values: unknown[]): unknown => {
      const result: unknown = Reflect.apply(member, store, values);
      return result instanceof Promise
        ? result.then(async (value: unknown) => {
            await cluster.confirmChanges(0);
            return value;
          })
        : result;
    };
    return [name, call] as const;
  });
  return Object.fromEntries(wrapped);
}
