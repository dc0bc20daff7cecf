import { Type } from 'typebox';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { ServiceConfig } from '../config/config.ts';

/**
 * The release of GitLab whose API the addresses here follow. Programs made for GitLab compare it to
 * choose addresses.
 */
const gitlabRelease = '16.0.0';

/** The version of the interface, for programs made for GitLab. */
export function registerVersionRoute(
  app: App,
  deps: { readonly config: ServiceConfig; readonly auth: Authentication },
): void {
  app.get(
    '/api/v4/version',
    {
      onRequest: deps.auth.require('read_api', 'read_user'),
      config: { errors: 'gitlab' },
      schema: {
        tags: ['service'],
        summary: "The release of GitLab that the interface follows, and Benchport's own version",
        operationId: 'getVersion',
        response: {
          200: Type.Object({
            version: Type.String({ description: 'Release of GitLab' }),
            revision: Type.String({ description: 'Version of Benchport' }),
            enterprise: Type.Boolean(),
          }),
        },
      },
    },
    async () => ({ version: gitlabRelease, revision: `benchport-${deps.config.version}`, enterprise: false }),
  );
}
