import type { App } from '../http/app.ts';
import type { Transfers } from '../measurements/transfers/transfers.ts';
import { registerOutgoingRoutes } from './outgoing-routes.ts';
import { OutgoingTransfers } from './outgoing-transfers.ts';
import type { SelfTest } from './self-test.ts';
import type { Sharing } from './sharing.ts';
import { registerSharingRoutes } from './sharing-routes.ts';
import type { TokenStores } from '../tokens/stores.ts';
import type { OAuthStores } from '../oauth/store/stores.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { TransferStores } from '../transfers/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = TokenStores &
  Pick<OAuthStores, 'applications'> &
  Pick<MeasurementStores, 'files'> &
  Pick<AuditStores, 'audit'> &
  Pick<TransferStores, 'pastTransfers'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'cluster'> & {
    readonly selfTest: SelfTest;
    readonly sharing: Sharing;
    readonly sending: Transfers;
  };

/** Registers sharing on the local network: settings, self-test and transfers. */
export function registerSharing(app: App, deps: Deps): void {
  deps.selfTest.register(app);
  registerSharingRoutes(app, deps);
  registerOutgoingRoutes(app, { ...deps, outgoing: new OutgoingTransfers(deps.sending) });
  app.addHook('preClose', async () => deps.sharing.stop());
  app.addHook('onClose', async () => deps.sharing.ended());
}
