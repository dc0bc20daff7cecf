import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { discovery } from './discover.ts';
import { remoteFiles, type RemoteFiles } from './remote-files.ts';
import { registerRemoteRoutes } from './remote-routes.ts';
import type { ReportRefusals } from './report-refusals.ts';
import { registerServerRoutes } from './server-routes.ts';
import type { Logger } from 'pino';
import type { Events } from '../common/events.ts';
import type { ServerStores } from './stores.ts';
import type { FetchStores } from '../fetching/store/stores.ts';

type Deps = ServerStores &
  Pick<FetchStores, 'fetches'> & {
    readonly log: Logger;
    readonly events: Events;
    readonly auth: Authentication;
    readonly reportRefusals: ReportRefusals;
    readonly sharedUrl: () => string | null;
  };

/**
 * Registers the routes for servers that measurements are fetched from, and for discovery.
 *
 * @returns the reader of their manifests.
 */
export function registerServers(app: App, deps: Deps): RemoteFiles {
  const near = discovery(deps.log);
  const files = remoteFiles();
  registerServerRoutes(app, deps);
  registerRemoteRoutes(app, { ...deps, discovery: near, remoteFiles: files });
  app.addHook('preClose', async () => {
    near.close();
    await files.close();
  });
  return files;
}
