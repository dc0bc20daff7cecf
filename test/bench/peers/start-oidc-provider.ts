import type { OAuthServer, Tokens } from '../oauth/oauth-server.ts';
import { startNodePeer } from '../servers/node-peer.ts';

/** @param url of a PostgreSQL database to keep objects in; in memory without one. */
export async function startOidcProvider(
  clientId: string,
  secret: string,
  url: string | null = null,
): Promise<OAuthServer> {
  const server = await startNodePeer('oidc-provider', new URL('oidc-provider.ts', import.meta.url), [
    clientId,
    secret,
    ...(url === null ? [] : [url]),
  ]);
  return {
    server,
    clientId,
    secret,
    tokenPath: '/token',
    introspectionPath: '/token/introspection',
    newTokens: async (count) =>
      (await (await fetch(`http://127.0.0.1:${server.port}/new-tokens?count=${count}`)).json()) as readonly Tokens[],
  };
}
