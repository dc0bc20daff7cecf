import { Problem } from '../contract/common.ts';
import { Sharing as SharingState, SharingChange, SharingTest } from '../contract/sharing.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { Sharing } from './sharing.ts';
import type { AuditStores } from '../audit/stores.ts';

type Deps = Pick<AuditStores, 'audit'> & { readonly auth: Authentication; readonly sharing: Sharing };

/** Routes that control sharing on the local network; window only. */
export function registerSharingRoutes(app: App, { auth, audit, sharing }: Deps): void {
  app.get(
    '/api/v4/local/sharing',
    {
      onRequest: auth.requireWindow,
      schema: {
        tags: ['local'],
        summary: 'Whether others on the local network reach this service; window only',
        operationId: 'getSharing',
        response: { 200: SharingState, 404: Problem },
      },
    },
    async () => sharing.state(),
  );

  app.patch(
    '/api/v4/local/sharing',
    {
      onRequest: auth.requireWindow,
      schema: {
        tags: ['local'],
        summary: 'Switch sharing, or change where and how; window only',
        operationId: 'changeSharing',
        body: SharingChange,
        response: { 200: SharingState, 404: Problem, 409: Problem },
      },
    },
    async (request) => {
      const state = await sharing.change(request.body);
      const { on } = request.body;
      if (on !== undefined) {
        await audit.record({
          ...actorOf(request),
          action: on ? 'sharing.on' : 'sharing.off',
          subject: 'sharing',
          ...(state.url === null ? {} : { detail: state.url }),
        });
      }
      return state;
    },
  );

  app.post(
    '/api/v4/local/sharing/test',
    {
      onRequest: auth.requireWindow,
      schema: {
        tags: ['local'],
        summary: 'Connect to the shared address from this machine; window only',
        operationId: 'testSharing',
        response: { 200: SharingTest, 404: Problem, 409: Problem },
      },
    },
    async () => sharing.test(),
  );
}
