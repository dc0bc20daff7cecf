import { beforeAll, describe, expect, test } from 'vitest';
import { applicationRights } from '../../../src-main/service/http/application-rights.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startIssuer } from '../oauth/token-fixture.ts';
import { useWorld } from '../use-service.ts';

const issuer = useWorld(startIssuer);
/** An OAuth token of an administrator, with `api`. */
let access: string;
let written: readonly string[];

/** Operations without a token: public, of the window, or with client authentication. */
const withoutToken =
  /^[A-Z]+ (\/api\/v4\/local\/.*|\/api\/v4\/setup|\/oauth\/(authorize|token|revoke|introspect|authorize_device)|\/api\/v4\/error_tracking\/collector\/.*)$/;
const readByPost = 'POST /oauth/userinfo';
const words = 'An application cannot do this with any scope';

beforeAll(async () => {
  ({ access } = await issuer.pair(await issuer.register(), { scopes: ['api'] }));
  const document = (await (await fetch(`${issuer.url}/api/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, unknown>>;
  };
  written = Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`),
    )
    .filter((name) => !name.startsWith('GET ') && !withoutToken.test(name) && name !== readByPost);
});

async function call(
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(issuer.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('M3: changes by an application do not outlive its grant', () => {
  test('every writing route of the service is in the table, and nothing else is', () => {
    expect(written.toSorted()).toEqual(Object.keys(applicationRights).toSorted());
  });

  test('an application with api of an administrator is refused everything that the table does not allow', async () => {
    let refused = 0;
    for (const name of written) {
      const [method = '', route = ''] = name.split(' ');
      const right = applicationRights[name];
      const answer = await call(
        access,
        method,
        route.replaceAll(/:[A-Za-z_]+/g, '7'),
        method === 'DELETE' ? undefined : {},
      );
      if (right === 'data') expect(answer.text, name).not.toContain(words);
      else expect(answer.status, `${name} ${answer.text}`).toBeOneOf(right === 'refused' ? [403] : [403, 404, 405]);
      if (right === 'refused') {
        expect(answer.text, name).toContain(words);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(30);
  });

  test('it grants no measurement, project or client key; a personal access token does', async () => {
    await addMeasurement(issuer, issuer.ids.alice, 'm', [{ path: 'a.bin', bytes: Buffer.from('a') }]);
    const project = await issuer.services.projects.create('lab/a', 'a');
    await issuer.services.projects.setMember(project?.id ?? 0, issuer.ids.alice, 'owner');
    const base = `/api/v4/projects/${project?.id}`;
    const personal = await issuer.token(issuer.ids.alice, ['api']);
    for (const [method, path, body, status] of [
      ['POST', '/api/v4/measurements/m/grants', { user: 'bob' }, 201],
      ['PUT', `${base}/members/${issuer.ids.bob}`, { role: 'owner' }, 200],
      ['POST', `${base}/error_tracking/client_keys`, undefined, 201],
      ['PUT', `${base}/error_tracking/settings`, { active: true, integrated: true }, 200],
      ['PUT', `/api/v4/users/${issuer.ids.bob}`, { name: 'Somebody else' }, 200],
      ['POST', `/api/v4/users/${issuer.ids.bob}/block`, undefined, 201],
    ] as const) {
      expect((await call(access, method, path, body)).status, path).toBe(403);
      expect((await call(personal, method, path, body)).status, path).toBe(status);
    }
  });

  test('it revokes no personal access token, not even of its own user', async () => {
    const personal = await issuer.token(issuer.ids.alice, ['api']);
    const { id } = JSON.parse((await call(personal, 'GET', '/api/v4/personal_access_tokens/self')).text) as {
      readonly id: number;
    };
    expect((await call(access, 'DELETE', `/api/v4/personal_access_tokens/${id}`)).status).toBe(403);
    expect((await call(access, 'DELETE', '/api/v4/personal_access_tokens/self')).status).toBe(405);
    expect((await call(personal, 'GET', '/api/v4/personal_access_tokens/self')).status).toBe(200);
  });

  test('it still changes data of its user', async () => {
    await addMeasurement(issuer, issuer.ids.alice, 'data', [{ path: 'a.bin', bytes: Buffer.from('a') }]);
    expect((await call(access, 'PATCH', '/api/v4/measurements/data', { title: 'Another title' })).status).toBe(200);
  });
});
