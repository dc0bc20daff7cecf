import { readFileSync } from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { App } from '../../../../src-main/service/http/app.ts';
import { BodyBudget } from '../../../../src-main/service/http/server/body-budget.ts';
import { anonymousBodyBytes, needsCredential } from '../../../../src-main/service/http/server/body-limits.ts';
import { defaultListenerLimits } from '../../../../src-main/service/http/server/listener-limits.ts';
import { commandLine, type CommandLine } from '../../../cli/command-line.ts';
import { RawClient } from '../../raw-client.ts';
import { startTestService, type TestService } from '../../start.ts';
import { bareApp } from './bare-app.ts';

vi.setConfig({ testTimeout: 60_000 });

interface KnownRoute {
  readonly method: string;
  readonly url: string;
  readonly isAuthenticated: boolean;
  readonly readsBodyItself: boolean;
}

/** A service with all its routes. */
async function serviceWithRoutes(): Promise<{ readonly service: TestService; readonly routes: readonly KnownRoute[] }> {
  const routes: KnownRoute[] = [];
  const collect = (message: unknown): void => {
    (message as { readonly fastify: App }).fastify.addHook('onRoute', ({ method, url, onRequest, config }) => {
      for (const one of [method].flat())
        routes.push({
          method: one,
          url,
          isAuthenticated: needsCredential(onRequest),
          readsBodyItself: config?.body === 'own-reader',
        });
    });
  };
  subscribe('fastify.initialization', collect);
  try {
    return { service: await startTestService(), routes };
  } finally {
    unsubscribe('fastify.initialization', collect);
  }
}

function head(method: string, path: string, ...headers: readonly string[]): string {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
}

const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;

describe('H1: bodies that an anonymous sender leaves unfinished', () => {
  let ended: { end(): Promise<void> } | null = null;
  afterEach(async () => ended?.end());

  test('H1: every route answers before a large body is received', async () => {
    const { service, routes } = await serviceWithRoutes();
    ended = service;
    const writing = routes.filter(
      ({ method, readsBodyItself }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !readsBodyItself,
    );
    expect(writing.filter(({ isAuthenticated }) => isAuthenticated).length).toBeGreaterThan(50);
    expect(writing.filter(({ isAuthenticated }) => !isAuthenticated).map(({ url }) => url)).toContain('/api/v4/setup');
    const senders = [...writing, { method: 'POST', url: '/nothing/here' }].flatMap(({ method, url }) => {
      const path = `${url.replaceAll(/:[a-z_]+/g, '1')}?code=${service.setupCode}`;
      return [
        head(method, path, 'Content-Length: 900000'),
        head(method, path, 'Transfer-Encoding: chunked') + chunk(anonymousBodyBytes + 1),
      ];
    });
    while (senders.length > 0) {
      await Promise.all(
        senders.splice(0, 20).map(async (request) => {
          const client = await RawClient.open(service.url);
          client.socket.write(request);
          const message = request.slice(0, 100);
          await expect.poll(() => client.status, { message, timeout: 10_000 }).toBeGreaterThanOrEqual(400);
          expect(client.status, message).toBeLessThan(500);
          client.socket.destroy();
        }),
      );
    }
  });

  test('H1: a route without a credential refuses a large body', async () => {
    const app = await bareApp();
    expect(() => app.post('/large', { bodyLimit: anonymousBodyBytes + 1 }, async () => ({}))).toThrow(
      'without a credential',
    );
    await app.close();
  });

  test('H1: the setup code is checked before the body is read', async () => {
    const service = await startTestService();
    ended = service;
    const wrong = await RawClient.open(service.url);
    wrong.socket.write(head('POST', `/api/v4/setup?code=${'0'.repeat(32)}`, 'Content-Length: 1000'));
    await expect.poll(() => wrong.status).toBe(403);
    await service.user('alice', true);
    const late = await RawClient.open(service.url);
    late.socket.write(head('POST', `/api/v4/setup?code=${service.setupCode}`, 'Content-Length: 1000'));
    await expect.poll(() => late.status).toBe(409);
    for (const { socket } of [wrong, late]) socket.destroy();
  });

  test.each([
    ['one client', { total: 1e6, anonymous: 1e6, perClient: 20_000 }],
    ['all without a credential', { total: 1e6, anonymous: 20_000, perClient: 1e6 }],
    ['everybody', { total: 20_000, anonymous: 1e6, perClient: 1e6 }],
  ])('H1: bodies beyond the budget of %s are answered with 503, and ended ones make room', async (_whose, settings) => {
    const budget = new BodyBudget(settings);
    const app = await bareApp(budget);
    app.post('/', async () => ({}));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const clients = await Promise.all(Array.from({ length: 3 }, () => RawClient.open(url)));
    const [first, second, third] = clients;
    for (const client of [first, second])
      client?.socket.write(head('POST', '/', 'Content-Length: 15000') + ' '.repeat(9000));
    await expect.poll(() => budget.held).toBeGreaterThan(18_000);
    third?.socket.write(head('POST', '/', 'Transfer-Encoding: chunked') + chunk(3000));
    await expect.poll(() => third?.status).toBe(503);
    expect(third?.text).toMatch(/retry-after: \d+/i);
    await third?.closed;
    second?.socket.destroy();
    await expect.poll(() => budget.held).toBeLessThan(10_000);
    first?.socket.write(`${' '.repeat(5998)}{}`);
    await expect.poll(() => first?.status).toBe(200);
    await expect.poll(() => budget.held).toBe(0);
    first?.socket.destroy();
    await app.close();
  });

  test('H1: each chunk of a body counts with a fixed cost', async () => {
    const budget = new BodyBudget({ total: 1e6, anonymous: 1e6, perClient: 20_000 });
    const app = await bareApp(budget);
    app.post('/', async () => ({}));
    const client = await RawClient.open(await app.listen({ host: '127.0.0.1', port: 0 }));
    client.socket.write(head('POST', '/', 'Transfer-Encoding: chunked') + chunk(1).repeat(200));
    await expect.poll(() => client.status).toBe(503);
    client.socket.destroy();
    await app.close();
  });
});

describe('H1: a service under 1,200 connections with endless bodies', () => {
  let cli: CommandLine;
  afterEach(async () => cli.end());

  test.each([
    ['a length', '/api/v4/setup', 'Content-Length: 1048000', ' '.repeat(1_000_000)],
    ['chunks', '/api/v4/setup', 'Transfer-Encoding: chunked', chunk(1_000_000)],
    ['bodies within the limit', '/oauth/token', 'Content-Length: 16000', ' '.repeat(15_900)],
  ])('H1: stays small and answers others, with %s', async (_what, path, header, body) => {
    cli = await commandLine();
    const service = await cli.serve();
    const megabytes = (): number =>
      (Number(readFileSync(`/proc/${service.pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6;
    const before = megabytes();
    const clients: RawClient[] = [];
    for (let i = 0; i < 1200; i += 1) {
      const client = await RawClient.open(service.url);
      client.socket.write(head('POST', path, header) + body);
      clients.push(client);
    }
    const refused = (): number => clients.filter(({ status, socket }) => status !== 0 || socket.destroyed).length;
    await expect
      .poll(refused, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(1200 - defaultListenerLimits.maxUnfinishedPerClient);
    expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
    expect(megabytes() - before).toBeLessThan(250);
    for (const { socket } of clients) socket.destroy();
    await expect.poll(() => megabytes() - before, { timeout: 20_000 }).toBeLessThan(200);
  });
});
