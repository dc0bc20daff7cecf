import type { AuditStores } from '../audit/stores.ts';
import { Problem } from '../contract/common.ts';
import { OutgoingSettings } from '../contract/service.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import type { ServiceContext } from '../http/service-context.ts';
import { setAllowedHosts } from './change-hosts.ts';
import type { OutgoingDeps } from './outgoing-hosts.ts';

type Deps = OutgoingDeps & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'auth' | 'events' | 'settings'>;

const address = '/api/v4/application/outgoing';

/** Registers the list of private hosts that outgoing requests may reach, for administrators. */
export function registerOutgoingRoutes(app: App, deps: Deps): void {
  app.get(
    address,
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['service'],
        summary: 'The private hosts that outgoing requests may reach; administrators',
        operationId: 'getOutgoing',
        response: { 200: OutgoingSettings },
      },
    },
    async () => ({ allowed: [...(await deps.outgoing.list())] }),
  );

  app.put(
    address,
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['service'],
        summary: 'Replace the list of private hosts that outgoing requests may reach; administrators',
        description:
          'Metadata services of clouds and addresses of the local link cannot be allowed. Names are compared exactly.',
        operationId: 'setOutgoing',
        body: OutgoingSettings,
        response: { 200: OutgoingSettings, 400: Problem },
      },
    },
    async (request) => ({ allowed: [...(await setAllowedHosts(deps, request.body.allowed, actorOf(request)))] }),
  );
}
