import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect } from 'vitest';
import { HttpRequestError } from '../../../src-main/service/http-client/http-request-error.ts';
import type { HttpResponse } from '../../../src-main/service/http-client/http-response.ts';
import { readText } from '../../../src-main/service/http-client/read-text.ts';
import type { ServerAccess } from '../../../src-main/service/http-client/http-client.ts';

export async function text(response: HttpResponse): Promise<string> {
  return (await readText(response, 1000)) ?? 'too long';
}

export async function failure(asked: Promise<unknown>): Promise<HttpRequestError> {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HttpRequestError);
  return error as HttpRequestError;
}

/** Servers that end with the test. */
export function useServers() {
  const servers: http.Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function listen(server: http.Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  async function serve(handler: http.RequestListener, prefix = ''): Promise<ServerAccess> {
    return {
      baseUrl: `http://127.0.0.1:${await listen(http.createServer(handler))}${prefix}`,
      token: 'a-token',
      certificate: null,
    };
  }

  return { listen, serve };
}
