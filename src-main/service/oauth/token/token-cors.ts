import cors from '@fastify/cors';
import type { App } from '../../http/app.ts';

// Endpoints open to other origins, as in GitLab; none where a person signs in or approves (RFC 9700
// section 2.6).
const open = new Map([
  ['/oauth/token', 'POST'],
  ['/oauth/revoke', 'POST'],
  ['/oauth/userinfo', 'GET, HEAD, POST'],
  ['/oauth/discovery/keys', 'GET, HEAD'],
  ['/.well-known/openid-configuration', 'GET, HEAD'],
  ['/.well-known/oauth-authorization-server', 'GET, HEAD'],
]);
const dayInSeconds = 86_400;

/**
 * Allows cross-origin requests, without cookies, to the endpoints that programs in browsers need.
 */
export async function allowOtherOrigins(app: App): Promise<void> {
  await app.register(cors, {
    delegator: (request, done) => {
      const methods = open.get(pathOf(request.url ?? ''));
      // The plugin handles OPTIONS requests of every path; all but preflights of these get the
      // usual response.
      const preflight =
        request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined;
      const applies = methods !== undefined && (request.method !== 'OPTIONS' || preflight);
      done(null, {
        origin: applies ? '*' : false,
        methods: methods ?? '',
        allowedHeaders: 'Authorization, Content-Type',
        maxAge: dayInSeconds,
      });
    },
  });
}

function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
