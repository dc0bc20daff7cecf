import { describe, expect, test } from 'vitest';
import { startProjectService } from '../project-fixture.ts';
import { useWorld } from '../../use-service.ts';

const service = useWorld(startProjectService);

const address = '/api/v4/projects/lab%2Fqmr/error_tracking/settings';
const apiUrl = 'https://sentry.example/api/0/projects/lab/bench';
const external = {
  active: true,
  integrated: false,
  api_url: apiUrl,
  token: 'sntrys_secret',
  project_name: 'Bench',
  organization_name: 'Lab',
};
const put = async (body: unknown) => service.as.maintainer('PUT', address, body);

describe('error tracking settings', () => {
  test('do not exist until they are created by PUT', async () => {
    const missing = { status: 404, body: { message: '404 Error Tracking Setting Not Found' } };
    expect(await service.as.maintainer('GET', address)).toMatchObject(missing);
    expect(await service.as.maintainer('PATCH', address, { active: true })).toMatchObject(missing);
    expect((await put({ active: true })).status).toBe(400);
    expect(await put({ active: true, integrated: true })).toMatchObject({ status: 200 });
    expect((await service.as.maintainer('GET', address)).body).toEqual({
      active: true,
      project_name: null,
      sentry_external_url: null,
      api_url: null,
      integrated: true,
      has_token: false,
      retention_days: null,
      most_events: null,
      max_bytes: null,
      stored_bytes: 0,
    });
  });

  test('create the first client key, once, for the integrated backend', async () => {
    const { id } = (await service.as.steward('POST', '/api/v4/projects', { path: 'lab/first' })).body as { id: number };
    const at = `/api/v4/projects/${id}/error_tracking`;
    const keys = async () => (await service.as.steward('GET', `${at}/client_keys`)).body as { public_key: string }[];
    await service.as.steward('PUT', `${at}/settings`, { active: false, integrated: true });
    await service.as.steward('PUT', `${at}/settings`, external);
    expect(await keys()).toEqual([]);
    await service.as.steward('PUT', `${at}/settings`, { active: false, integrated: true });
    await service.as.steward('PATCH', `${at}/settings`, { active: true });
    const [key] = await keys();
    await service.as.steward('PUT', `${at}/settings`, { active: true, integrated: true, retention_days: 30 });
    expect(await keys()).toEqual([key]);
    expect(key?.public_key).toMatch(/^bpk_[0-9a-f]{32}$/);
    const audit = (await service.as.steward('GET', '/api/v4/audit_events?action=client-key.create')).body;
    expect(JSON.stringify(audit)).toContain('of lab/first');
  });

  test('are changed in part by PATCH, by query or form as GitLab does', async () => {
    await put({ active: true, integrated: true });
    expect((await service.as.maintainer('PATCH', address, { active: false })).body).toMatchObject({
      active: false,
      integrated: true,
    });
    expect((await service.as.maintainer('PATCH', address, { integrated: true })).status).toBe(400);
    expect((await service.as.maintainer('PATCH', `${address}?active=true`)).body).toMatchObject({
      active: true,
      integrated: true,
    });
    const token = await service.token(service.userIds.maintainer, ['api']);
    const form = async (body: string) =>
      fetch(service.url + address, {
        method: 'PUT',
        headers: { 'private-token': token },
        body: new URLSearchParams(body),
      });
    const answer = await form('active=false&integrated=true&retention_days=30');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ active: false, retention_days: 30 });
    expect((await form('active=maybe&integrated=true')).status).toBe(400);
  });

  test('never return the token, and store it sealed', async () => {
    const { status, body } = await put(external);
    expect(status).toBe(200);
    expect(body).toEqual({
      active: true,
      project_name: 'Bench',
      sentry_external_url: 'https://sentry.example/lab/bench',
      api_url: apiUrl,
      integrated: false,
      has_token: true,
      retention_days: 30,
      most_events: null,
      max_bytes: null,
      stored_bytes: 0,
    });
    const row = await service.services.errorSettings.of(service.projectId);
    expect(row?.sealed_token?.includes('sntrys_secret')).toBe(false);
    const everything = JSON.stringify([
      (await service.as.maintainer('GET', address)).body,
      (await service.as.steward('GET', '/api/v4/audit/events')).body,
      (await service.as.maintainer('GET', '/api/v4/projects/lab%2Fqmr')).body,
    ]);
    expect(everything).toContain('sentry.example');
    expect(everything).not.toContain('sntrys_secret');
  });

  test('keep the token for its origin, and never for another one', async () => {
    await put(external);
    const sealed = (await service.services.errorSettings.of(service.projectId))?.sealed_token;
    for (const token of [undefined, '', '*********']) {
      expect(
        (await put({ ...external, token, api_url: 'https://sentry.example/api/0/projects/lab/other' })).status,
      ).toBe(200);
      expect((await service.services.errorSettings.of(service.projectId))?.sealed_token).toEqual(sealed);
    }
    for (const origin of [
      'https://evil.example',
      'http://sentry.example',
      'https://sentry.example:8443',
      'https://sentry.example.evil.example',
    ]) {
      for (const token of [undefined, '****']) {
        const { status, body } = await put({ ...external, token, api_url: `${origin}/api/0/projects/lab/bench` });
        expect(status, origin).toBe(400);
        expect(body).toMatchObject({ message: expect.stringContaining('Token') as string });
      }
    }
    expect((await service.services.errorSettings.of(service.projectId))?.sealed_token).toEqual(sealed);
    // Switching to the integrated backend in between does not carry it over either.
    await put({ active: true, integrated: true, api_url: 'https://evil.example/api/0/projects/lab/bench' });
    expect((await put({ active: true, integrated: false })).status).toBe(400);
    expect((await service.services.errorSettings.of(service.projectId))?.sealed_token).toBeNull();
  });

  test.each([
    ['an address of another form', { api_url: 'https://sentry.example/lab/bench' }],
    ['no web address', { api_url: 'file:///api/0/projects/lab/bench' }],
    ['a user in the address', { api_url: 'https://u:p@sentry.example/api/0/projects/lab/bench' }],
    ['a query', { api_url: `${apiUrl}?x=1` }],
    ['parts with slashes of their own', { api_url: 'https://sentry.example/api/0/projects/lab/a%2Fb' }],
    ['a long address', { api_url: `https://${'a'.repeat(250)}.example/api/0/projects/lab/bench` }],
    ['no address', { api_url: null }],
    ['no token', { token: null }],
    ['a token with a line break', { token: 'a\nb' }],
    ['a longer retention than 90 days', { retention_days: 91 }],
    ['no retention', { retention_days: 0 }],
    ['an unknown member', { colour: 'red' }],
  ])('are refused with %s, and stay as they are', async (_, wrong) => {
    await put(external);
    const before = await service.services.errorSettings.of(service.projectId);
    expect((await put({ ...external, ...wrong })).status).toBe(400);
    expect(await service.services.errorSettings.of(service.projectId)).toEqual(before);
  });

  test('are for maintainers', async () => {
    for (const method of ['GET', 'PUT', 'PATCH']) {
      const body = method === 'GET' ? undefined : { active: true, integrated: true };
      expect((await service.with(null)(method, address, body)).status).toBe(401);
      expect((await service.as.developer(method, address, body)).status).toBe(403);
      expect(await service.as.outsider(method, address, body)).toMatchObject({
        status: 404,
        body: { message: '404 Project Not Found' },
      });
      expect((await service.as.steward(method, address, body)).status).toBe(200);
    }
  });
});
