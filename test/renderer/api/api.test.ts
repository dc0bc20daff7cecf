import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ApiError, Cancelled } from '../../../src-renderer/api/requests/problem.ts';
import {
  createApi,
  isWorthRetrying,
  withQuery,
  type ConfirmIdentity,
} from '../../../src-renderer/api/requests/request.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A client of a real server on this machine. */
async function clientOf(answer: RequestListener, csrf: string | null = null, confirmIdentity?: ConfirmIdentity) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createApi({
    csrfToken: () => csrf,
    fetchLike: (input, init) => fetch(`http://127.0.0.1:${port}${input as string}`, init),
    ...(confirmIdentity === undefined ? {} : { confirmIdentity }),
  });
}

test('a problem becomes an error with its detail and its request id', async () => {
  const api = await clientOf((_request, response) => {
    response.writeHead(409, { 'content-type': 'application/problem+json' });
    response.end(
      JSON.stringify({
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        detail: 'Choose another id.',
        request_id: 'req-1',
      }),
    );
  });
  const error = await api.json('/x').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ title: '', detail: 'Choose another id.', status: 409, requestId: 'req-1' });
  expect(isWorthRetrying(error)).toBe(false);
});

test("problems in GitLab's format and in none become errors too", async () => {
  const api = await clientOf((request, response) => {
    response.writeHead(request.url === '/gitlab' ? 403 : 502, { 'x-request-id': 'req-2' });
    response.end(
      request.url === '/gitlab'
        ? '{"error":"insufficient_scope","error_description":"The scope api is needed."}'
        : '<html>',
    );
  });
  expect(await api.json('/gitlab').catch((thrown: unknown) => thrown)).toMatchObject({
    detail: 'The scope api is needed.',
    requestId: 'req-2',
  });
  const error = await api.json('/html').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 502 });
  expect(isWorthRetrying(error)).toBe(true);
});

test('writes carry the token of the session, reads do not', async () => {
  const seen: (string | undefined)[] = [];
  const api = await clientOf((request, response) => {
    seen.push(request.headers['x-csrf-token'] as string | undefined);
    response.end('{}');
  }, 'csrf-1');
  await api.json('/read');
  await api.json('/write', { method: 'POST', body: {} });
  expect(seen).toEqual([undefined, 'csrf-1']);
});

const confirmationNeeded = JSON.stringify({
  type: 'urn:benchport:problem:confirmation-needed',
  title: 'Forbidden',
  status: 403,
  detail: 'Confirm your password.',
  request_id: 'req-3',
});

test('S100 a write that needs a confirmation is repeated unchanged after it', async () => {
  const bodies: string[] = [];
  let confirmed = false;
  const answer: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(confirmed ? 200 : 403, { 'content-type': 'application/problem+json' });
      response.end(confirmed ? '{"done":true}' : confirmationNeeded);
    });
  };
  const api = await clientOf(answer, null, async () => {
    confirmed = true;
  });
  expect(await api.json('/write', { method: 'POST', body: { name: 'bench 3' } })).toEqual({ done: true });
  expect(bodies).toEqual(['{"name":"bench 3"}', '{"name":"bench 3"}']);
});

test('S100 a write without confirmation is not repeated, and a second refusal asks no more', async () => {
  let requests = 0;
  const refuse: RequestListener = (_request, response) => {
    requests += 1;
    response.writeHead(403, { 'content-type': 'application/problem+json' });
    response.end(confirmationNeeded);
  };
  const cancelling = await clientOf(refuse, null, () => Promise.reject(new Cancelled()));
  await expect(cancelling.json('/write', { method: 'POST', body: {} })).rejects.toBeInstanceOf(Cancelled);
  expect(requests).toBe(1);
  const confirming = await clientOf(refuse, null, () => Promise.resolve());
  await expect(confirming.json('/write', { method: 'POST', body: {} })).rejects.toMatchObject({
    type: 'confirmation-needed',
    status: 403,
  });
  expect(requests).toBe(3);
});

test('pages have the total of the whole list', async () => {
  const api = await clientOf((_request, response) => {
    response.writeHead(200, { 'x-total': '10000' });
    response.end('[1,2]');
  });
  expect(await api.page('/list')).toEqual({ items: [1, 2], total: 10_000, more: false });
});

test('an aborted request is an abort, not a failure of the service', async () => {
  const api = await clientOf(() => undefined);
  const stop = new AbortController();
  const answer = api.json('/never', { signal: stop.signal }).catch((thrown: unknown) => thrown);
  stop.abort();
  expect(await answer).toMatchObject({ name: 'AbortError' });
});

test('an unreachable service is reported as such', async () => {
  const api = createApi({ csrfToken: () => null, fetchLike: () => Promise.reject(new TypeError('fetch failed')) });
  const error = await api.json('/x').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ title: 'The service does not answer', status: 0 });
  expect(isWorthRetrying(error)).toBe(true);
});

test('empty values are left out of an address', () => {
  expect(withQuery('/a', { search: '', page: 1, sort: undefined, until: null, all: false })).toBe(
    '/a?page=1&all=false',
  );
  expect(withQuery('/a')).toBe('/a');
});
