// oidc-provider with the adapter it brings along, which keeps everything in memory. Arguments: client id, secret, how many refresh tokens to begin with.
// Opaque tokens, rotation of refresh tokens, introspection; no scope of OpenID Connect, so that no answer waits for a signature.
import http from 'node:http';
import { Provider, type ModelOf } from 'oidc-provider';

const [clientId = '', secret = '', count = '0'] = process.argv.slice(2);
const server = http.createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
const provider = new Provider(`http://127.0.0.1:${port}`, {
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
server.on('request', provider.callback());

const client = await provider.Client.find(clientId);
const save = async (model: ModelOf) => model.save();
const tokens = await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    const grant = new provider.Grant({ accountId: `user-${index}`, clientId });
    grant.addOIDCScope('api');
    const about = { client, accountId: `user-${index}`, grantId: await save(grant), scope: 'api', gty: 'authorization_code' };
    return { refreshToken: await save(new provider.RefreshToken(about)), accessToken: await save(new provider.AccessToken(about)) };
  }),
);
console.log(JSON.stringify({ port, tokens }));
