import { ServiceStatus } from '../contract/service.ts';
import type { TlsMaterial } from '../http/server/tls-material.ts';
import { Type } from 'typebox';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { freeBytes } from '../common/free-bytes.ts';
import { isLoopback } from '../http/server/host-check.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { EndCheck } from '../maintenance/end-check.ts';
import type { RetentionClock } from '../database/retention-clock.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<MeasurementStores, 'measurements'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'cluster' | 'diskSpace' | 'events'> & {
    readonly config: ServiceConfig;
    readonly endCheck: EndCheck;
    readonly retentionClock: RetentionClock;
    readonly sharedUrl: () => string | null;
    readonly spokenTls: () => TlsMaterial | null;
  };

/** The data of the status bar. */
export function registerServiceRoute(app: App, deps: Deps): void {
  app.get(
    '/api/v4/service',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['service'],
        summary: 'State of the service',
        operationId: 'getService',
        response: { 200: ServiceStatus },
      },
    },
    async (request) => ({
      version: deps.config.version,
      base_url: deps.baseUrl(),
      shared: !isLoopback(deps.config.host) || deps.sharedUrl() !== null,
      shared_url: deps.sharedUrl(),
      public_key_pin: pinOf(deps.spokenTls()),
      // Paths of this machine are shown only to the user at it.
      data_dir: deps.auth.isWindow(request) ? deps.config.dataDir : null,
      free_bytes: await freeBytes(deps.config.libraryDir ?? deps.config.dataDir),
      disk_low: deps.diskSpace.low,
      clock_ahead_days: principalOf(request).isAdmin ? deps.retentionClock.daysAhead : 0,
      last_end: deps.endCheck.state,
      database: deps.config.database ? ('postgres' as const) : ('sqlite' as const),
      replicas: deps.cluster.live(),
      sample_registered: (await deps.measurements.byId('sample')) !== null,
    }),
  );

  app.post(
    '/api/v4/service/clock',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['service'],
        summary: 'Say that the time of this machine is right, after its clock has jumped ahead; needs an administrator',
        operationId: 'confirmClock',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deps.retentionClock.confirm();
      await deps.audit.record({
        ...actorOf(request),
        action: 'service.clock',
        subject: 'service',
        detail: 'the time was confirmed',
      });
      deps.events.emit('changed', { topic: 'service' });
      return reply.code(204).send(null);
    },
  );
}

/** The pin of a self-signed certificate; null for one of an authority, which needs no pin. */
function pinOf(material: TlsMaterial | null): string | null {
  return material?.selfSigned === true ? material.publicKeyPin : null;
}
