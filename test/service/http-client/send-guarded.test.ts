import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllowedHost } from '../../../src-main/service/http-client/allowed-hosts.ts';
import { createHttpClient } from '../../../src-main/service/http-client/http-client.ts';
import { outgoingGuard, OutgoingRefused } from '../../../src-main/service/http-client/outgoing-guard.ts';
import { sendGuarded } from '../../../src-main/service/http-client/send-guarded.ts';
import { uploadRequests } from '../../../src-main/service/upload-client/upload-requests.ts';
import { mayUnshareNetwork } from '../fetching/faults/may-unshare-network.ts';
import { mustRun } from '../run-program.ts';
import { nameServer } from './name-server.ts';

const allowed = (...entries: readonly string[]) => entries.map(parseAllowedHost);

/** A server on an address of this machine, and the paths that it was asked for. */
async function listen(host: string): Promise<{ readonly port: number; readonly seen: string[]; end: () => void }> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host} ${request.url}`);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/redirect') response.writeHead(307, { location: searchParams.get('to') ?? '' }).end();
    else if (pathname === '/silent') return;
    else if (pathname === '/long') response.end('x'.repeat(70_000));
    else request.on('data', () => undefined).on('end', () => response.end('thanks'));
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('connections', () => {
  let one: Awaited<ReturnType<typeof listen>>;
  let other: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    [one, other] = [await listen('127.0.0.1'), await listen('127.0.0.2')];
  });
  afterAll(() => {
    one.end();
    other.end();
  });
  const post = async (guard: Parameters<typeof sendGuarded>[0], url: string, more: object = {}) =>
    sendGuarded(guard, { url: new URL(url), headers: { 'content-type': 'text/plain' }, body: 'hello', ...more });

  test('one POST to an allowed address, by its name', async () => {
    const resolve = nameServer({ 'hook.lab': [['127.0.0.1']] });
    const guard = outgoingGuard(allowed('127.0.0.1'), resolve);
    expect(await post(guard, `http://hook.lab:${one.port}/in?a=1`)).toEqual({ status: 200, text: 'thanks' });
    expect(one.seen.at(-1)).toBe(`POST hook.lab:${one.port} /in?a=1`);
    expect(resolve.asked).toEqual(['hook.lab']);
    expect(await post(guard, `http://hook.lab:${one.port}/long`)).toEqual({ status: 200, text: null });
  });

  test('a private address that is not allowed gets nothing', async () => {
    const before = one.seen.length;
    const guard = outgoingGuard(allowed('127.0.0.2'), nameServer({ 'hook.lab': [['127.0.0.1']] }));
    await expect(post(guard, `http://hook.lab:${one.port}/`)).rejects.toBeInstanceOf(OutgoingRefused);
    await expect(post(guard, `http://127.0.0.1:${one.port}/`)).rejects.toBeInstanceOf(OutgoingRefused);
    await expect(post(guard, `http://[::ffff:127.0.0.1]:${one.port}/`)).rejects.toBeInstanceOf(OutgoingRefused);
    expect(one.seen.length).toBe(before);
  });

  test('a name that leads elsewhere after it was checked', async () => {
    const rebinding = nameServer({ 'rebind.example': [['93.184.215.14'], ['127.0.0.1']] });
    const guard = outgoingGuard([], rebinding);
    const url = new URL(`http://rebind.example:${one.port}/`);
    await guard.check(url);
    const before = one.seen.length;
    await expect(sendGuarded(guard, { url, headers: {}, body: '' })).rejects.toBeInstanceOf(OutgoingRefused);
    expect(one.seen.length).toBe(before);
  });

  test('a connection goes to what its only lookup yielded', async () => {
    const rebinding = nameServer({ 'rebind.lab': [['127.0.0.1'], ['127.0.0.2']] });
    const guard = outgoingGuard(allowed('127.0.0.1'), rebinding);
    const before = other.seen.length;
    await post(guard, `http://rebind.lab:${one.port}/pinned`);
    expect(one.seen.at(-1)).toContain('/pinned');
    expect(rebinding.asked).toEqual(['rebind.lab']);
    expect(other.seen.length).toBe(before);
  });

  test('of several addresses, only those that may be reached', async () => {
    const guard = outgoingGuard(allowed('127.0.0.1'), nameServer({ 'two.lab': [['127.0.0.2', '127.0.0.1']] }));
    await post(guard, `http://two.lab:${one.port}/usable`);
    expect(one.seen.at(-1)).toContain('/usable');
    await expect(post(guard, `http://two.lab:${other.port}/`)).rejects.toMatchObject({ failure: 'refused' });
    expect(other.seen).toEqual([]);
  });

  test('a redirect is not followed, wherever it leads', async () => {
    const guard = outgoingGuard(allowed('127.0.0.1', '127.0.0.2'));
    for (const to of [`http://127.0.0.2:${other.port}/`, '/elsewhere', 'http://169.254.169.254/', '//127.1/'])
      await expect(
        post(guard, `http://127.0.0.1:${one.port}/redirect?to=${encodeURIComponent(to)}`),
      ).rejects.toMatchObject({ failure: 'status', status: 307 });
    expect(other.seen).toEqual([]);
    expect(one.seen.some((line) => line.includes('/elsewhere') && !line.includes('/redirect'))).toBe(false);
  });

  test('no answer in time, and a request that is taken back', async () => {
    const guard = outgoingGuard(allowed('127.0.0.1'));
    const url = `http://127.0.0.1:${one.port}/silent`;
    const timeouts = { connectMs: 5000, idleMs: 5000, wholeMs: 50 };
    await expect(post(guard, url, { timeouts })).rejects.toMatchObject({ failure: 'timed-out' });
    await expect(post(guard, url, { timeouts: { ...timeouts, wholeMs: 5000, idleMs: 50 } })).rejects.toMatchObject({
      failure: 'timed-out',
    });
    const reason = new Error('taken back');
    await expect(post(guard, url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

test('clients of the owner’s servers refuse a metadata service at once', async () => {
  const baseUrl = 'http://169.254.169.254';
  const server = { baseUrl, token: null, certificate: null };
  expect(() => createHttpClient(server, { connections: 1 })).toThrow(OutgoingRefused);
  const upload = uploadRequests('secret', null)(new URL(baseUrl), { method: 'HEAD' }, new AbortController().signal);
  await expect(upload).rejects.toBeInstanceOf(OutgoingRefused);
});

if (mayUnshareNetwork) {
  test('real private addresses, in a network of their own', async () => {
    const program = path.join(import.meta.dirname, 'private-network.ts');
    const said = await mustRun('unshare', ['-n', process.execPath, program]);
    expect(JSON.parse(said.trim().split('\n').at(-1) ?? '')).toEqual({
      // Each server was there, and was reached only where it is allowed and may be.
      direct: { '10.9.8.7': 200, 'fd12::7': 200, '169.254.169.254': 200 },
      refused: { '10.9.8.7': 'private', 'fd12::7': 'private', '169.254.169.254': 'forbidden' },
      allowed: { '10.9.8.7': 200, 'fd12::7': 200, '169.254.169.254': 'forbidden' },
      redirected: { '10.9.8.7': 307, 'fd12::7': 307, '169.254.169.254': 'forbidden' },
      metadataRequests: 1,
    });
  }, 30_000);
}
