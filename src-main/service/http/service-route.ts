import { ServiceStatus } from '../contract/service.ts';
import type { TlsMaterial } from '../network/tls-material.ts';
import type { Services } from '../services.ts';
import type { App } from './app.ts';
import type { Authentication } from './authentication.ts';
import { freeBytes } from '../free-bytes.ts';
import { isLoopback } from './host-check.ts';

type Deps = Services & {
  readonly auth: Authentication;
  readonly baseUrl: () => string;
  readonly sharedUrl: () => string | null;
  readonly spokenTls: () => TlsMaterial | null;
};

/** What the status bar shows. */
export function registerServiceRoute(app: App, deps: Deps): void {
  app.get(
    '/api/v4/service',
    {
      onRequest: deps.auth.require('read_api'),
      schema: { tags: ['service'], summary: 'State of the service', operationId: 'getService', response: { 200: ServiceStatus } },
    },
    async (request) => ({
      version: deps.config.version,
      base_url: deps.baseUrl(),
      shared: !isLoopback(deps.config.host) || deps.sharedUrl() !== null,
      shared_url: deps.sharedUrl(),
      public_key_pin: pinOf(deps.spokenTls()),
      // Paths of this machine concern only the person at it.
      data_dir: deps.auth.isWindow(request) ? deps.config.dataDir : null,
      free_bytes: await freeBytes(deps.config.dataDir),
      disk_low: deps.room.low,
      last_end: deps.endCheck.state,
      sample_registered: (await deps.measurements.byId('sample')) !== null,
    }),
  );
}

/** Where an authority vouches for the certificate, nobody needs to know it. */
function pinOf(material: TlsMaterial | null): string | null {
  return material?.selfSigned === true ? material.publicKeyPin : null;
}
