import { beforeAll, describe, expect, test } from 'vitest';
import { useTestService } from '../use-service.ts';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

const service = useTestService();
let operations: readonly Operation[];

beforeAll(async () => {
  const document = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, unknown>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]+\}/g, '7'),
    })),
  );
});

/**
 * Operations without a token: public ones, those of the window, and those where clients
 * authenticate themselves.
 */
const open =
  /^(GET \/api\/v4\/session|POST \/api\/v4\/setup|GET \/-\/(health|readiness)|GET \/certificate\.pem|GET \/\.well-known\/[a-z-]+|GET \/oauth\/discovery\/keys|GET \/api\/v4\/receipts\/keys|(GET|POST) \/oauth\/authorize)$/;
const windowOnly = /^[A-Z]+ \/api\/v4\/local\//;
const forClients =
  /^POST (\/oauth\/(token|revoke|introspect|authorize_device)|\/api\/v4\/error_tracking\/collector\/.*)$/;
const withoutToken = (name: string) => open.test(name) || windowOnly.test(name) || forClients.test(name);
/** Operations for tokens with read_user, and those that any token may do with itself. */
const forReadUser = new Set([
  'GET /api/v4/user',
  'GET /api/v4/version',
  'GET /api/v4/personal_access_tokens/self/associations',
  'GET /oauth/token/info',
]);
/** OpenID Connect also requests claims by POST (Core section 5.3.1); who may read may have it proved. */
const readByPost = new Set([
  'POST /oauth/userinfo',
  'POST /api/v4/measurements/{id}/receipts',
  'POST /api/v4/measurements/{id}/challenge',
]);

async function ask({ method, path }: Operation, token: string | null): Promise<Response> {
  const writes = method !== 'GET' && method !== 'DELETE';
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      ...(token === null ? {} : { 'private-token': token }),
      ...(writes ? { 'content-type': 'application/json' } : {}),
    },
    ...(writes ? { body: '{}' } : {}),
    redirect: 'manual',
  });
  await answer.body?.cancel();
  return answer;
}

const lacking = /^Bearer realm="Benchport", error="insufficient_scope", scope="(api[a-z_ ]*)"$/;

/** @returns the scopes that the response demands. */
function neededScopes(answer: Response, name: string): readonly string[] {
  expect(answer.status, name).toBe(403);
  const scopes = lacking.exec(answer.headers.get('www-authenticate') ?? '')?.[1];
  expect(scopes, name).toBeDefined();
  return scopes?.split(' ') ?? [];
}

describe('S89 every route of the OpenAPI document', () => {
  test('refuses a token with read_user, even of an administrator, and names the scope that would suffice', async () => {
    expect(operations.length).toBeGreaterThan(50);
    const token = await service.token(await service.user('steward', true), ['read_user']);
    for (const operation of operations) {
      if (withoutToken(operation.name)) continue;
      const answer = await ask(operation, token);
      if (forReadUser.has(operation.name)) expect(answer.status, operation.name).toBe(200);
      else expect(neededScopes(answer, operation.name), operation.name).not.toContain('read_user');
    }
  });

  test('answers without a credential only where it is public or clients authenticate themselves', async () => {
    for (const operation of operations) {
      const { status } = await ask(operation, null);
      if (windowOnly.test(operation.name)) expect(status, operation.name).toBe(404);
      else if (forClients.test(operation.name)) expect([400, 401], operation.name).toContain(status);
      else if (!open.test(operation.name)) expect(status, operation.name).toBe(401);
    }
  });

  test('that writes demands api of a token with every scope that reads', async () => {
    const scopes = ['read_api', 'read_measurement', 'read_user', 'profile', 'email', 'openid'];
    const token = await service.token(await service.user('reading steward', true), scopes);
    const writes = operations.filter(
      ({ name, method }) => method !== 'GET' && !readByPost.has(name) && !withoutToken(name),
    );
    expect(writes.length).toBeGreaterThan(15);
    for (const operation of writes)
      expect(neededScopes(await ask(operation, token), operation.name), operation.name).toContain('api');
  });
});
