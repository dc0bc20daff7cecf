import { describe, expect, test } from 'vitest';
import { startTestService } from '../../start.ts';
import { rawRequest } from '../../raw-request.ts';
import { type OpenApi, useInterface } from './interface-scene.ts';

const { service, get } = useInterface();

describe('the OpenAPI document', () => {
  test('names and describes every route, and every reference can be resolved', async () => {
    const answer = await fetch(`${service.url}/api/openapi.json`);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const text = await answer.text();
    const document = JSON.parse(text) as OpenApi;
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: 'v1' }, servers: [{ url: service.url }] });
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    );
    expect(operations.length).toBeGreaterThan(12);
    for (const { name, operation } of operations) {
      expect(operation.operationId, name).toMatch(/^[A-Za-z][A-Za-z0-9_]*$/);
      expect(Object.keys(operation.responses ?? {}).length, name).toBeGreaterThan(0);
      // Every operation may refuse a body.
      if (operation.requestBody || operation.parameters) expect(operation.responses, name).toHaveProperty('400');
    }
    // JSON Schema 2020-12 has no list of schemas in this place.
    expect(text).not.toMatch(/"items":\[/);
    expect(text).toContain('"prefixItems":[');
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components.schemas).toHaveProperty([name]);
    expect(text).not.toContain('"$id"');
    // Members with a default are optional, as in the router.
    const queries = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((one) => ({ name, one })),
    );
    expect(
      queries.filter(({ one }) => one.in === 'query' && one.schema?.default !== undefined && one.required === true),
    ).toEqual([]);
    expect(queries.some(({ one }) => one.in === 'query' && one.schema?.default !== undefined)).toBe(true);
    const authorize = document.paths['/oauth/authorize'];
    const needed = (authorize?.['get']?.parameters ?? []).filter(({ required }) => required).map(({ name }) => name);
    expect(needed.toSorted()).toEqual(['client_id', 'redirect_uri', 'response_type']);
    expect(Object.keys(authorize?.['get']?.responses ?? {})).toEqual(['200', '302', '400']);
    expect(Object.keys(authorize?.['post']?.responses ?? {})).toEqual(['200', '303', '400', '403']);
    const idOf = (path: string) => document.paths[path]?.['get']?.operationId;
    expect(idOf('/measurements/{measurementId}')).toBe('downloadMeasurementAsZip');
    expect(idOf('/measurements/{measurementId}/files/{index}')).toBe('downloadFile');
    expect(idOf('/measurements/{measurementId}/files')).toBe('manifest');
    expect(idOf('/measurements/{measurementId}/files/')).toBe('manifest_1');
    const answers = Object.keys(
      document.paths['/measurements/{measurementId}/files/{index}']?.['get']?.responses ?? {},
    );
    expect(answers).toEqual(['200', '206', '304', '400', '401', '403', '404', '409', '412', '416', '429', '503']);
    for (const name of ['User', 'PersonalAccessToken', 'MeasurementManifest', 'Job', 'Problem'])
      expect(document.components.schemas).toHaveProperty([name]);
  });

  test('has a readable page without scripts', async () => {
    const answer = await fetch(`${service.url}/api/docs`);
    const page = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('/api/v4/personal_access_tokens');
    expect(page).toContain('createToken');
    expect(page).not.toContain('<script');
    expect(page).not.toMatch(/ style=| on[a-z]+=/);
  });
});

describe('health', () => {
  test('needs no credential', async () => {
    expect(await (await fetch(`${service.url}/-/health`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${service.url}/-/readiness`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: 'ok', database: 'ok', disk: 'ok', integrity: 'ok' });
  });

  test('metrics are for administrators, in a format that Prometheus reads', async () => {
    expect((await fetch(`${service.url}/-/metrics`)).status).toBe(401);
    expect(
      (await get('/-/metrics', { 'private-token': await service.token(await service.user('bob'), ['api']) })).status,
    ).toBe(403);
    service.services.events.emit('rates', { up_bytes_per_second: 123_456, up_clients: 3 });
    const answer = await get('/-/metrics');
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = (await answer.text()).trim().split('\n');
    for (const line of lines)
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? -?[0-9.e+-]+)$/,
      );
    expect(lines.some((line) => line.startsWith('benchport_http_requests_total{method="GET",status="2xx"}'))).toBe(
      true,
    );
    expect(lines).toContain('benchport_transfers_running 3');
    expect(lines).toContain('benchport_transfer_bytes_per_second 123456');
    expect(lines.some((line) => line.startsWith('nodejs_eventloop_delay_seconds{quantile="0.99"}'))).toBe(true);
  });

  test('a service whose database is gone is not ready, and stays alive', async () => {
    const own = await startTestService();
    try {
      own.services.settings.set = async () => {
        throw Object.assign(new Error('attempt to write a readonly database'), { code: 'SQLITE_READONLY' });
      };
      const answer = await fetch(`${own.url}/-/readiness`);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        status: 'failing',
        database: expect.stringContaining('cannot be written'),
        disk: 'ok',
      });
      expect((await fetch(`${own.url}/-/health`)).status).toBe(200);
    } finally {
      await own.end();
    }
  });
});

describe('hosts', () => {
  const ask = (host: string | undefined) =>
    rawRequest({ port: service.port }, { path: '/-/health', headers: host === undefined ? {} : { host } });

  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    '[::2]',
    'a b',
    '127.0.0.1@evil.example',
  ])('%s is refused', async (host) => {
    const answer = await ask(host);
    expect(answer.status).toBe(421);
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'urn:benchport:problem:wrong-host', status: 421 });
  });

  test.each(['127.0.0.1', '127.0.0.1:1', 'LOCALHOST', 'localhost:7420', '[::1]:7420', '127.9.9.9'])(
    '%s is answered',
    async (host) => {
      expect((await ask(host)).status).toBe(200);
    },
  );

  test('the host of the configured base URL is accepted and used in links', async () => {
    const own = await startTestService({ baseUrl: 'http://bench.example:7420' });
    try {
      const answer = await rawRequest(
        { port: own.port },
        { path: '/api/openapi.json', headers: { host: 'bench.example:7420' } },
      );
      expect(JSON.parse(answer.body)).toMatchObject({ servers: [{ url: 'http://bench.example:7420' }] });
    } finally {
      await own.end();
    }
  });
});
