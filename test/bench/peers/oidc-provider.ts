// oidc-provider with its in-memory adapter, which keeps the last thousand objects, or with one for
// PostgreSQL; GET /new-tokens?count=N makes initial tokens. Arguments: client id, secret, and the
// address of an empty database or nothing. Opaque tokens, rotation of
// refresh tokens, introspection; no OpenID Connect scope, so that no response is signed.
import http from 'node:http';
import { Provider } from 'oidc-provider';
import { postgresAdapter } from './oidc-postgres.ts';

const [clientId = '', secret = '', url] = process.argv.slice(2);
const server = http.createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
const provider = new Provider(`http://127.0.0.1:${port}`, {
  ...(url === undefined ? {} : { adapter: await postgresAdapter(url) }),
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://app.example.com/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  scopes: ['api', 'offline_access'],
  features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  ttl: { AccessToken: 7200, Grant: 86_400, RefreshToken: 86_400 },
});
const answer = provider.callback();
const client = await provider.Client.find(clientId);

async function newTokens(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const grant = new provider.Grant({ accountId: 'bob', clientId });
      grant.addOIDCScope('api');
      const about = { client, accountId: 'bob', grantId: await grant.save(), scope: 'api', gty: 'authorization_code' };
      return {
        refreshToken: await new provider.RefreshToken(about).save(),
        accessToken: await new provider.AccessToken(about).save(),
      };
    }),
  );
}

server.on('request', (request, response) => {
  const count = /^\/new-tokens\?count=(\d+)$/.exec(request.url ?? '')?.[1];
  if (count === undefined) answer(request, response);
  else void newTokens(Number(count)).then((tokens) => response.end(JSON.stringify(tokens)));
});
console.log(JSON.stringify({ port }));
