import formbody from '@fastify/formbody';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { App } from '../http/app.ts';
import type { TokenResolver } from '../auth/token-resolver.ts';
import { registerMetadataRoutes } from './openid/metadata-routes.ts';
import { allowOtherOrigins } from './token/token-cors.ts';
import { registerTokenEndpoints } from './token/token-endpoint-routes.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import type { AccountStores } from '../accounts/store/stores.ts';
import type { TokenStores } from '../tokens/stores.ts';
import type { OAuthStores } from './store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<AccountStores, 'users' | 'signInFailures' | 'knownPlaces' | 'secondFactors' | 'signInPlaces'> &
  TokenStores &
  OAuthStores &
  Pick<ProjectStores, 'projects'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'changes' | 'cluster' | 'events' | 'passwords' | 'secrets' | 'settings'> & {
    readonly signingKey: () => Promise<SigningKey>;
    readonly resolver: TokenResolver;
  };

// These routes serve no pages, so fixed headers suffice; they cost less than the headers of pages.
const headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** The OAuth endpoints that programs call: JSON only, some of them open to other origins. */
export async function registerOAuthModule(app: App, deps: Deps): Promise<void> {
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
