import { describe, expect, test } from 'vitest';
import type { ClientKey } from '../../../../src-main/service/contract/errors.ts';
import { deprecatedDsnOf, dsnOf } from '../../../../src-main/service/errors/settings/dsn.ts';
import { startProjectService } from '../project-fixture.ts';
import { useWorld } from '../../use-service.ts';

const service = useWorld(startProjectService);

const address = '/api/v4/projects/lab%2Fqmr/error_tracking/client_keys';

describe('client keys', () => {
  test('are created with both forms of the DSN, with and without a body', async () => {
    const { status, body, headers } = await service.as.maintainer('POST', address);
    expect(status).toBe(201);
    expect(headers.get('content-type')).toBe('application/json');
    const key = body as ClientKey;
    const { host } = new URL(service.url);
    expect(key).toEqual({
      id: key.id,
      active: true,
      public_key: expect.stringMatching(/^bpk_[0-9a-f]{32}$/) as string,
      sentry_dsn: `http://${key.public_key}@${host}/api/v4/error_tracking/collector/${service.projectId}`,
      sentry_dsn_deprecated: expect.stringMatching(
        new RegExp(
          `^http://${key.public_key}:[0-9a-f]{32}@${host}/api/v4/error_tracking/collector/${service.projectId}$`,
        ),
      ) as string,
      created_at: key.created_at,
      last_used_at: null,
      events: 0,
    });
    for (const [type, text] of [
      ['application/json', ''],
      ['application/json', '{}'],
      ['application/x-www-form-urlencoded', ''],
    ] as const) {
      const response = await fetch(service.url + address, {
        method: 'POST',
        headers: { 'private-token': await service.token(service.userIds.owner, ['api']), 'content-type': type },
        body: text,
      });
      expect(response.status, `${type} ${text}`).toBe(201);
    }
  });

  test('rotate in the order of the specification: create, list, delete the old one', async () => {
    const before = (await service.as.maintainer('GET', address)).body as ClientKey[];
    const old = before[0];
    if (!old) throw new Error('no key');
    const fresh = (
      await service.as.maintainer('POST', `/api/v4/projects/${service.projectId}/error_tracking/client_keys`, {})
    ).body as ClientKey;
    const listed = (await service.as.maintainer('GET', address)).body as ClientKey[];
    expect(listed).toEqual([...before, fresh]);
    const deleted = await service.as.maintainer('DELETE', `${address}/${old.id}`);
    expect(deleted).toMatchObject({ status: 200, body: old });
    expect((await service.as.maintainer('GET', address)).body).toEqual(listed.slice(1));
    expect(await service.services.clientKeys.byPublicKey(old.public_key)).toBeNull();
    expect(await service.services.clientKeys.byPublicKey(fresh.public_key)).toMatchObject({
      id: fresh.id,
      projectId: service.projectId,
      active: true,
    });
  });

  test('come in pages with the headers of GitLab', async () => {
    const other = await service.services.projects.create('lab/many', 'Many');
    const many = `/api/v4/projects/${other?.id}/error_tracking/client_keys`;
    for (let i = 0; i < 5; i += 1) await service.as.steward('POST', many);
    const { body, headers } = await service.as.steward('GET', `${many}?per_page=2&page=2`);
    expect((body as ClientKey[]).length).toBe(2);
    expect(headers.get('x-total')).toBe('5');
    expect(headers.get('x-total-pages')).toBe('3');
    expect(headers.get('x-next-page')).toBe('3');
    expect(headers.get('link')).toContain(`<${service.url}${many}?per_page=2&page=3>; rel="next"`);
    expect((await service.as.steward('GET', `${many}?per_page=0`)).status).toBe(400);
  });

  test.each([
    ['GET', ''],
    ['POST', ''],
    ['DELETE', '/1'],
  ] as const)('%s%s asks for a credential, the scope and the role', async (method, rest) => {
    const without = await service.with(null)(method, address + rest);
    expect(without).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } });
    expect((await service.with('bppat-unknown')(method, address + rest)).status).toBe(401);
    for (const scopes of [['read_api'], ['read_user', 'read_measurement']]) {
      const { status, body } = await service.with(await service.token(service.userIds.owner, scopes))(
        method,
        address + rest,
      );
      expect(status, scopes.join()).toBe(403);
      expect(body).toMatchObject({ error: 'insufficient_scope', scope: 'api' });
    }
    for (const person of ['reporter', 'developer'] as const) {
      const { status, body } = await service.as[person](method, address + rest);
      expect(status, person).toBe(403);
      expect(body).toMatchObject({ message: expect.stringMatching(/^403 Forbidden/) as string });
    }
    expect(await service.as.outsider(method, address + rest)).toMatchObject({
      status: 404,
      body: { message: '404 Project Not Found' },
    });
    for (const project of ['9999', 'lab%2Fnowhere', '9'.repeat(30), '0', '..%2F..']) {
      expect(
        (await service.as.steward(method, `/api/v4/projects/${project}/error_tracking/client_keys${rest}`)).status,
        project,
      ).toBe(404);
    }
  });

  test.each(['GET', 'POST', 'DELETE'])('%s of a project with the character NUL are unknown', async (method) => {
    const path = `/api/v4/projects/%00/error_tracking/client_keys${method === 'DELETE' ? '/1' : ''}`;
    expect((await service.as.steward(method, path)).status).toBe(404);
  });

  test('that are missing or belong to another project are unknown', async () => {
    const other = await service.services.projects.create('lab/other', 'Other');
    const key = (await service.as.steward('POST', `/api/v4/projects/${other?.id}/error_tracking/client_keys`))
      .body as ClientKey;
    for (const id of [key.id, 99_999, 0]) {
      expect(await service.as.maintainer('DELETE', `${address}/${id}`), String(id)).toMatchObject({
        status: 404,
        body: { message: '404 Not found' },
      });
    }
    expect((await service.as.maintainer('DELETE', `${address}/x`)).status).toBe(400);
    expect(await service.services.clientKeys.byPublicKey(key.public_key)).toMatchObject({ projectId: other?.id });
  });

  test('accept errors while Monitor and error tracking are on and the backend is integrated', async () => {
    const key = (await service.as.maintainer('POST', address)).body as ClientKey;
    const taking = async () => (await service.services.clientKeys.byPublicKey(key.public_key))?.projectActive;
    const settings = async (body: object) =>
      service.as.maintainer('PUT', '/api/v4/projects/lab%2Fqmr/error_tracking/settings', body);
    expect(await taking()).toBe(false);
    await settings({ active: true, integrated: true });
    expect(await taking()).toBe(true);
    await service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: false });
    expect(await taking()).toBe(false);
    await service.as.maintainer('PATCH', '/api/v4/projects/lab%2Fqmr', { monitor: true });
    expect(await taking()).toBe(true);
    await settings({
      active: true,
      integrated: false,
      api_url: 'https://sentry.example/api/0/projects/lab/qmr',
      token: 'abc',
    });
    expect(await taking()).toBe(false);
    await settings({ active: false, integrated: true });
    expect(await taking()).toBe(false);
  });
});

describe('a DSN', () => {
  test('is built from the base URL, with its prefix and without the default port of its scheme', () => {
    expect(dsnOf('https://bench.example/lab', 'bpk_1', 7)).toBe(
      'https://bpk_1@bench.example/lab/api/v4/error_tracking/collector/7',
    );
    expect(dsnOf('http://bench.example:80', 'bpk_1', 7)).toBe(
      'http://bpk_1@bench.example/api/v4/error_tracking/collector/7',
    );
    expect(dsnOf('http://bench.example:7420/', 'bpk_1', 7)).toBe(
      'http://bpk_1@bench.example:7420/api/v4/error_tracking/collector/7',
    );
  });

  test('of the deprecated form keeps its secret, which reveals nothing about another key', () => {
    const { secrets } = service.services;
    const one = deprecatedDsnOf('http://b', 'bpk_1', 7, secrets);
    expect(deprecatedDsnOf('http://b', 'bpk_1', 7, secrets)).toBe(one);
    expect(deprecatedDsnOf('http://b', 'bpk_2', 7, secrets).split(/[:@]/)[2]).not.toBe(one.split(/[:@]/)[2]);
  });

  test('contains the configured address, never that of the request', async () => {
    const behind = await startProjectService({ baseUrl: 'https://bench.example/lab' });
    try {
      const key = (await behind.as.owner('POST', '/api/v4/projects/1/error_tracking/client_keys')).body as ClientKey;
      expect(key.sentry_dsn).toBe(`https://${key.public_key}@bench.example/lab/api/v4/error_tracking/collector/1`);
    } finally {
      await behind.end();
    }
  });
});
