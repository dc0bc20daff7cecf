import formbody from '@fastify/formbody';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { Services } from '../services.ts';
import type { TokenResolver } from '../auth/token-resolver.ts';
import { registerMetadataRoutes } from './openid/metadata-routes.ts';
import { allowOtherOrigins } from './token/token-cors.ts';
import { registerTokenEndpoints } from './token/token-endpoint-routes.ts';

type Deps = Services & { readonly auth: Authentication; readonly baseUrl: () => string; readonly resolver: TokenResolver };

// Nothing here is a page; what a browser may do with it fits into fixed headers, which cost less than those of the pages.
const headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** The part of the application that programs call for tokens and for what tokens are: JSON only, some of it open to pages of other origins. */
export async function registerTokenPart(app: App, deps: Deps): Promise<void> {
  await app.register(async (plain) => {
    const part = plain.withTypeProvider<TypeBoxTypeProvider>();
    await part.register(formbody);
    part.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers);
      done();
    });
    await allowOtherOrigins(part);
    registerTokenEndpoints(part, deps);
    registerMetadataRoutes(part, deps);
  });
}
