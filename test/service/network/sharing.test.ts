import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { browserAt, csrfOf } from '../browser.ts';
import { asWindow } from '../as-window.ts';
import { addMeasurement, openBeside } from '../fixture-measurement.ts';
import { RawClient } from '../raw-client.ts';
import { until } from '../until.ts';
import { zeros } from '../zeros.ts';
import { startTestService } from '../start.ts';
import { lan, lanWorld, statusAt } from './lan-world.ts';
import { big, transferOutcomes, useSharing } from './sharing-scene.ts';

const { world, slowDownload } = useSharing();

const local = `${os.hostname().toLowerCase().replace(/\..*$/, '')}.local`;

describe('the switch', () => {
  test('is off by default, and needs a password before it can be switched on', async () => {
    const { service } = world;
    const before = await world.state();
    expect(before).toMatchObject({
      on: false,
      wanted: false,
      problem: null,
      needs_password: false,
      port: 7420,
      url: null,
      interfaces: [lan],
    });
    const database = openBeside(service);
    database.prepare('UPDATE users SET password_hash = NULL').run();
    expect((await world.state()).needs_password).toBe(true);
    const refused = await world.share({ on: true });
    expect(refused).toMatchObject({ status: 409, body: { type: 'urn:benchport:problem:needs-password' } });
    expect(await world.state()).toMatchObject({ on: false, wanted: false });
    database.prepare(`UPDATE users SET password_hash = 'something'`).run();
    database.close();
    expect(await world.share({ address: '198.51.100.7' })).toMatchObject({ status: 400 });
    expect(await world.share({ port: 0 })).toMatchObject({ status: 400 });
  });

  test('opens a second listener with the same measurements and fast paths, and shows its address', async () => {
    const topics: string[] = [];
    const forget = world.service.services.events.subscribe((name, event) => {
      if (name === 'changed' && 'topic' in event) topics.push(event.topic);
    });
    const url = await world.shared();
    forget();
    expect(topics).toEqual(expect.arrayContaining(['sharing', 'service']));
    expect(new URL(url).hostname).toBe(lan.address);
    for (let time = 0; time < 3; time += 1) {
      const range = await fetch(`${url}/measurements/qmr-114/files/0`, {
        headers: { ...world.bearer, range: 'bytes=0-4' },
      });
      expect([range.status, await range.text()]).toEqual([206, 'hello']);
    }
    const manifest = await fetch(`${url}/measurements/qmr-114/files`, { headers: world.bearer });
    expect(manifest.status).toBe(200);
    expect((await fetch(`${url}/measurements/qmr-114/files`)).status).toBe(401);
    const status = await fetch(`${world.service.url}/api/v4/service`, { headers: world.bearer });
    // Absolute links keep the base URL: the issuer of tokens must not depend on a switch.
    expect(await status.json()).toMatchObject({ shared: true, shared_url: url, base_url: world.service.url });
    const detail = await fetch(`${url}/api/v4/measurements/qmr-114`, { headers: world.bearer });
    expect(await detail.json()).toMatchObject({ download_url: `${world.service.url}/measurements/qmr-114` });
  });

  test('users sign in over the network as on this machine', async () => {
    const url = await world.shared();
    const { users, passwords } = world.service.services;
    const bob = await world.service.user('bob');
    await users.setPassword(bob, await passwords.hash('a grating of 600 lines'));
    const browser = browserAt({ url });
    const answer = await browser.signIn('bob', 'a grating of 600 lines');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/ui/']);
    const written = await browser.send(
      'POST',
      '/api/v4/user/personal_access_tokens',
      { name: 'x', scopes: ['read_user'] },
      { 'x-csrf-token': await csrfOf(browser) },
    );
    expect(written.status).toBe(201);
  });

  test('accepts its address and the names of this machine as host while it is on, and no other', async () => {
    const url = await world.shared();
    const { port } = new URL(url);
    expect(await statusAt(`${url}/-/health`, { host: `${lan.address}:${port}` })).toBe(200);
    expect(await statusAt(`${url}/-/health`, { host: `${local}:${port}` })).toBe(200);
    expect(await statusAt(`${url}/-/health`, { host: `rebound.example:${port}` })).toBe(421);
    await world.share({ on: false });
    expect(await statusAt(`${world.service.url}/-/health`, { host: `${local}:${port}` })).toBe(421);
    await expect(fetch(`${url}/-/health`)).rejects.toThrow();
    expect(
      await fetch(`${world.service.url}/api/v4/service`, { headers: world.bearer }).then((answer) => answer.json()),
    ).toMatchObject({
      shared: false,
      shared_url: null,
    });
  });

  test('ends running transfers when it is switched off, and the audit trail says so', async () => {
    const url = await world.shared();
    const client = await slowDownload(url);
    await until(() => transferOutcomes(world.service).at(-1) === null, 'the transfer has its row');
    await world.share({ on: false });
    await client.drain();
    expect(client.received).toBeLessThan(big);
    await until(() => transferOutcomes(world.service).at(-1) === 'ended', 'the transfer has ended');
    const events = await world.service.services.auditList.page(
      { userId: null, action: 'sharing.', from: 0, before: Number.MAX_SAFE_INTEGER },
      2,
      0,
    );
    expect(events.rows.map(({ action, detail }) => [action, detail])).toEqual([
      ['sharing.off', null],
      ['sharing.on', url],
    ]);
  });
});

describe('the window', () => {
  test('cannot be reached through the network, not even with its secret', async () => {
    const url = await world.shared();
    const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
      readonly paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(document.paths)
      .filter(([at]) => at.startsWith('/api/v4/local/'))
      .flatMap(([at, item]) =>
        Object.keys(item).map((method) => [method.toUpperCase(), at.replaceAll(/\{[^}]+\}/g, '7')] as const),
      );
    expect(routes.length).toBeGreaterThan(5);
    expect((await asWindow(world.service, 'GET', '/api/v4/local/sharing')).status).toBe(200);
    const secret = { 'x-benchport-launch-secret': world.service.launchSecret };
    for (const [method, at] of routes) {
      expect(await statusAt(url + at, secret, method), `${method} ${at}`).toBe(404);
      expect(
        await statusAt(url + at, { ...secret, ...world.bearer }, method),
        `${method} ${at} with an administrator's token`,
      ).toBe(404);
    }
    // The secret does not authenticate requests from the network either.
    expect(await statusAt(`${url}/api/v4/measurements`, secret)).toBe(401);
    const session = await fetch(`${url}/api/v4/session`, { headers: secret });
    expect(await session.json()).toMatchObject({ user: null, door: 'browser' });
  });
});

test('one device cannot hold more than its share of the connections', async () => {
  const small = await lanWorld({ sharing: { limits: { maxConnections: 100, maxPerAddress: 3 } } });
  try {
    const url = await small.shared();
    const clients: RawClient[] = [];
    for (let count = 0; count < 5; count += 1) clients.push(await RawClient.open(url));
    await until(() => clients.filter(({ socket }) => socket.destroyed).length === 2, 'two are closed');
    expect((await fetch(`${small.service.url}/-/health`)).status).toBe(200);
    clients.forEach(({ socket }) => socket.destroy());
    await until(async () => (await fetch(`${url}/-/health`).catch(() => null))?.status === 200, 'there is room again');
  } finally {
    await small.service.end();
  }
});

test('sharing resumes after a restart with a window, and not without one', async () => {
  const first = await lanWorld();
  const dataDir = path.join(first.service.dir, 'data');
  const url = await first.shared();
  await first.service.stop();
  await expect(fetch(`${url}/-/health`)).rejects.toThrow();

  const again = await lanWorld({ dataDir });
  expect((await again.state()).url).toBe(url);
  expect((await fetch(`${url}/-/health`)).status).toBe(200);
  await again.service.end();

  const headless = await startTestService({ dataDir, window: null, sharing: { addresses: () => [lan] } });
  await expect(fetch(`${url}/-/health`)).rejects.toThrow();
  await headless.end();
  await rm(first.service.dir, { recursive: true, force: true });
});

test('the stop of the service lets transfers over the network end', async () => {
  const ending = await lanWorld();
  const { service, ownerId } = ending;
  await addMeasurement(service, ownerId, 'qmr-114', [await zeros(service, 'qmr-114', 'big.raw', big)]);
  const mine = await service.token(ownerId, ['api']);
  const client = await RawClient.open(await ending.shared());
  client.get('/measurements/qmr-114/files/0', `Authorization: Bearer ${mine}`, 'Connection: close');
  await client.until(1000);
  const stopped = service.stop();
  await client.drain();
  expect(client.received).toBeGreaterThan(big);
  await stopped;
  await rm(service.dir, { recursive: true, force: true });
});
