import { Type } from 'typebox';
import type { AuditStores } from '../audit/stores.ts';
import { MailServer, MailServerInput, NotificationTest } from '../contract/notifications/notifications.ts';
import { Nullable } from '../contract/common.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { mailServerShape, writeMailServer } from './settings/mail-server.ts';
import { testMail, type TestRuleDeps } from './test-rule.ts';

type Deps = TestRuleDeps & AuditStores & { readonly auth: Authentication };

const path = '/api/v4/application/mail_server';
const tags = ['notifications'];

/** Routes of the server that mail is sent by, for administrators. */
export function registerMailRoutes(app: App, deps: Deps): void {
  const { auth, settings, audit } = deps;
  app.get(
    path,
    {
      onRequest: auth.requireAdmin('read_api'),
      schema: {
        tags,
        summary: 'The server that mail is sent by',
        operationId: 'getMailServer',
        response: { 200: MailServer },
      },
    },
    async () => mailServerShape(settings),
  );
  app.put(
    path,
    {
      onRequest: auth.requireAdmin('api'),
      schema: {
        tags,
        summary: 'Set the server that mail is sent by',
        operationId: 'setMailServer',
        body: Nullable(MailServerInput),
        response: { 200: MailServer },
      },
    },
    async (request) => {
      await writeMailServer(deps, request.body);
      const detail = request.body === null ? 'none' : `${request.body.host}:${request.body.port}`;
      await audit.record({ ...actorOf(request), action: 'settings.mail', subject: 'settings', detail });
      return mailServerShape(settings);
    },
  );
  app.post(
    `${path}/test`,
    {
      onRequest: auth.requireAdmin('api'),
      schema: {
        tags,
        summary: 'Send a test mail, and show the dialogue with the server',
        operationId: 'testMailServer',
        body: Type.Object({ to: Type.String({ minLength: 3, maxLength: 320 }) }, { additionalProperties: false }),
        response: { 200: NotificationTest },
      },
    },
    async ({ body }) => testMail(deps, body.to),
  );
}
