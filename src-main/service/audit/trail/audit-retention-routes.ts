import { Type } from 'typebox';
import { AuditRetention } from '../../contract/audit-retention.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { changeAuditRetention, readAuditRetention } from '../audit-retention.ts';
import type { AuditStores } from '../stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

const Change = Type.Partial(Type.Object(AuditRetention.properties), { additionalProperties: false });

/** Routes of the retention settings of transfers, downloads and the audit trail. */
export function registerAuditRetentionRoutes(
  app: App,
  deps: Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'auth' | 'settings'>,
): void {
  app.get(
    '/api/v4/audit_events/retention',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags: ['audit'],
        summary: 'How long transfers and events are kept; administrators',
        operationId: 'getAuditRetention',
        response: { 200: AuditRetention },
      },
    },
    async () => readAuditRetention(deps.settings),
  );

  app.put(
    '/api/v4/audit_events/retention',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['audit'],
        summary: 'Change how long transfers and events are kept; administrators',
        operationId: 'changeAuditRetention',
        body: Change,
        response: { 200: AuditRetention },
      },
    },
    async (request) => {
      return changeAuditRetention(deps, request.body, actorOf(request));
    },
  );
}
