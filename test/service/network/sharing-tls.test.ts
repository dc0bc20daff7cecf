import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Sharing } from '../../../src-main/service/contract/sharing.ts';
import { pinnedAgent } from '../../../src-main/service/http-client/pinned-agent.ts';
import { browserAt, csrfOf } from '../browser.ts';
import { asWindow } from '../as-window.ts';
import { until } from '../until.ts';
import { lanMeasurement, lan, lanWorld, otherLan } from './lan-world.ts';
import { freePort } from '../../free-port.ts';
import { fetchOverTls } from './over-tls.ts';
import { transferOutcomes } from './sharing-scene.ts';
import { refusedIn, sayInClear, tlsHello } from './say-in-clear.ts';
import { useWorld } from '../use-service.ts';

const big = 32 * 1024 * 1024;
const world = useWorld(lanMeasurement);

const status = async () =>
  (await (await fetch(`${world.service.url}/api/v4/service`, { headers: world.bearer })).json()) as Record<
    string,
    unknown
  >;

interface Shared {
  readonly url: string;
  readonly sha256: string;
  readonly ask: ReturnType<typeof fetchOverTls>;
}

async function shareByTls(): Promise<Shared> {
  const { url, certificate_sha256: sha256 } = (
    await world.share({ on: true, port: await freePort(lan.address), announce: false, tls: true })
  ).body as Sharing;
  if (url === null || sha256 === null) throw new Error(`not shared: ${JSON.stringify(await world.state())}`);
  return { url, sha256, ask: fetchOverTls(sha256) };
}

/** A download whose client stops reading in the middle. */
function slowDownload({ url, sha256 }: Shared): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    https
      .get(`${url}/measurements/qmr-114/files/1`, { agent: pinnedAgent({}, sha256), headers: world.bearer }, resolve)
      .once('error', reject);
  });
}

test('is by https from the start, and the certificate stays', async () => {
  expect(await world.state()).toMatchObject({ tls: true, certificate_sha256: null, url: null });
  const { body } = await world.share({ on: true, port: await freePort(lan.address), announce: false });
  const { url, certificate_sha256: sha256, tls: byTls } = body as Sharing;
  expect([byTls, url?.slice(0, 18)]).toEqual([true, `https://${lan.address}:`]);
  const ask = fetchOverTls(sha256 ?? '');
  for (let time = 0; time < 3; time += 1) {
    const range = await ask(`${url}/measurements/qmr-114/files/0`, {
      headers: { ...world.bearer, range: 'bytes=0-4' },
    });
    expect([range.status, await range.text()]).toEqual([206, 'hello']);
  }
  expect((await ask(`${url}/measurements/qmr-114/files`)).status).toBe(401);
  expect(await sayInClear(url ?? '')).toMatch(refusedIn('This port speaks HTTPS'));
  expect(await asWindow(world.service, 'POST', '/api/v4/local/sharing/test', {})).toMatchObject({
    body: { reachable: true },
  });
  // The same certificate for another address or after a pause: a compared fingerprint stays valid.
  world.addresses = [otherLan];
  await world.untilState((state) => state.url?.includes(otherLan.address) === true, 'it has moved');
  expect(await world.state()).toMatchObject({ certificate_sha256: sha256 });
  world.addresses = [lan];
  await world.share({ on: false });
  expect((await shareByTls()).sha256).toBe(sha256);
});

test('the certificate can be downloaded, and the copied curl command accepts this key only', async () => {
  const { url, sha256, ask } = await shareByTls();
  for (const answer of [await ask(`${url}/certificate.pem`), await fetch(`${world.service.url}/certificate.pem`)]) {
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('benchport.pem'),
    ]);
    expect(new X509Certificate(await answer.text()).fingerprint256.replaceAll(':', '').toLowerCase()).toBe(sha256);
  }
  const { public_key_pin: pin, shared_url: shared } = await status();
  expect(shared).toBe(url);
  const curl = (...trust: readonly string[]) =>
    spawnCurl(['-sf', ...trust, '-H', `Authorization: Bearer ${world.token}`, `${url}/measurements/qmr-114/files/0`]);
  expect(await curl('-k', '--pinnedpubkey', String(pin))).toEqual({ status: 0, stdout: 'hello, network' });
  const other = `sha256//${Buffer.alloc(32).toString('base64')}`;
  // CURLE_SSL_PINNEDPUBKEYNOTMATCH
  expect(await curl('-k', '--pinnedpubkey', other)).toEqual({ status: 90, stdout: '' });
  expect(await curl()).toEqual({ status: 60, stdout: '' });
  await world.share({ on: false });
  expect((await fetch(`${world.service.url}/certificate.pem`)).status).toBe(404);
  expect(await status()).toMatchObject({ public_key_pin: null });
});

test('S32 a session is Secure by https and works by http, each with its own cookie', async () => {
  const { users, passwords } = world.service.services;
  const bob = await world.service.user('bob');
  await users.setPassword(bob, await passwords.hash('a grating of 600 lines'));
  const { url, ask } = await shareByTls();
  const encrypted = browserAt({ url }, ask);
  const signIn = await encrypted.signIn('bob', 'a grating of 600 lines');
  expect([signIn.status, signIn.headers.get('location')]).toEqual([303, '/ui/']);
  expect(signIn.headers.getSetCookie().join()).toMatch(/^__Host-benchport_session=[^;]+;.*Secure/);
  expect([...encrypted.cookies.keys()].toSorted()).toEqual([
    '__Host-benchport_browser',
    '__Host-benchport_form',
    '__Host-benchport_session',
  ]);
  const wish = { name: 'x', scopes: ['read_user'] };
  const tokens = '/api/v4/user/personal_access_tokens';
  const origin = { origin: url, 'sec-fetch-site': 'same-origin' };
  expect((await encrypted.send('POST', tokens, wish, origin)).status).toBe(403);
  const csrf = { 'x-csrf-token': await csrfOf(encrypted) };
  expect((await encrypted.send('POST', tokens, wish, { ...origin, ...csrf })).status).toBe(201);
  expect(
    (
      await encrypted.send('POST', tokens, wish, {
        ...csrf,
        origin: 'https://elsewhere.example',
        'sec-fetch-site': 'cross-site',
      })
    ).status,
  ).toBe(403);
  // A cookie that was planted over http is not accepted as a session.
  const session = encrypted.cookies.get('__Host-benchport_session') ?? '';
  const planted = browserAt({ url }, ask);
  planted.setCookie('benchport_session', session);
  expect((await planted.get('/api/v4/user')).status).toBe(401);
  const out = await encrypted.postForm('/users/sign_out', { csrf_token: csrf['x-csrf-token'] });
  expect([out.status, encrypted.cookies.has('__Host-benchport_session')]).toEqual([303, false]);

  const clear = await world.shared();
  expect(await sayInClear(clear, tlsHello)).toMatch(refusedIn('This port speaks plain HTTP'));
  const readable = browserAt({ url: clear });
  expect((await readable.signIn('bob', 'a grating of 600 lines')).status).toBe(303);
  expect([...readable.cookies.keys()].toSorted()).toEqual(['benchport_browser', 'benchport_form', 'benchport_session']);
  expect((await readable.send('POST', tokens, wish, { 'x-csrf-token': await csrfOf(readable) })).status).toBe(201);
});

test('transfers by https belong to the network: they end with the switch, and with another way to share', async () => {
  for (const change of [{ on: false }, { tls: false }]) {
    const shared = await shareByTls();
    const answer = await slowDownload(shared);
    const ended = new Promise<number>((resolve) => {
      let received = 0;
      answer.on('data', (part: Buffer) => (received += part.length));
      answer.on('error', () => {});
      answer.once('close', () => resolve(received));
      answer.pause();
    });
    await until(() => transferOutcomes(world.service).at(-1) === null, 'the transfer has its row');
    await world.share(change);
    answer.resume();
    expect(await ended).toBeLessThan(big);
    await until(() => transferOutcomes(world.service).at(-1) === 'ended', 'the transfer has ended');
  }
  expect(await world.state()).toMatchObject({
    tls: false,
    certificate_sha256: null,
    url: expect.stringMatching(/^http:/) as string,
  });
  const { url, ask } = await shareByTls();
  const secret = { 'x-benchport-launch-secret': world.service.launchSecret };
  expect((await ask(`${url}/api/v4/local/sharing`, { headers: secret })).status).toBe(404);
});

test('one device cannot hold more than its share of connections, not even without a handshake', async () => {
  const small = await lanWorld({ sharing: { limits: { maxConnections: 100, maxPerAddress: 3 } } });
  try {
    const { url, certificate_sha256: sha256 } = (
      await small.share({ on: true, port: await freePort(lan.address), announce: false })
    ).body as Sharing;
    const { port } = new URL(url ?? '');
    const open = Array.from({ length: 5 }, () => connect({ host: lan.address, port: Number(port) }).resume());
    for (const socket of open) socket.on('error', () => {});
    await until(() => open.filter(({ destroyed }) => destroyed).length === 2, 'two are closed');
    expect((await fetch(`${small.service.url}/-/health`)).status).toBe(200);
    for (const socket of open) socket.destroy();
    const ask = fetchOverTls(sha256 ?? '');
    await until(async () => (await ask(`${url}/-/health`).catch(() => null))?.status === 200, 'there is room again');
    // Each of these is a separate connection, which counts as long as it is open.
    for (let time = 0; time < 6; time += 1) expect((await ask(`${url}/-/health`)).status).toBe(200);
  } finally {
    await small.service.end();
  }
});

// Stopping must not wait for the TLS handshake timeout of ten seconds.
test('the stop of the service does not wait for silent connections', { timeout: 9000 }, async () => {
  const ending = await lanWorld();
  const { url } = (await ending.share({ on: true, port: await freePort(lan.address), announce: false }))
    .body as Sharing;
  const silent = connect({ host: lan.address, port: Number(new URL(url ?? '').port) }).resume();
  await once(silent, 'connect');
  // Accepted by the process, not only queued by the kernel.
  expect((await ending.share({})).status).toBe(200);
  await Promise.all([ending.service.stop(), once(silent, 'close')]);
  await rm(ending.service.dir, { recursive: true, force: true });
});

test('older settings keep sharing by http; a certificate that cannot be read is reported', async () => {
  const first = await lanWorld();
  const dataDir = path.join(first.service.dir, 'data');
  const port = await freePort(lan.address);
  await first.service.services.settings.set(
    'sharing',
    JSON.stringify({ wanted: true, address: null, port, announce: false }),
  );
  await first.untilState(({ on }) => on, 'it is shared');
  expect(await first.state()).toMatchObject({ tls: false, url: `http://${lan.address}:${port}` });
  await first.share({ tls: true });
  const { certificate_sha256: sha256 } = await first.state();
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  await first.service.stop();

  const again = await lanWorld({ dataDir });
  expect(await again.state()).toMatchObject({ tls: true, certificate_sha256: sha256 });
  await again.share({ on: false });
  await rm(path.join(dataDir, 'tls', 'key.pem'));
  const { body } = await again.share({ on: true });
  expect(body).toMatchObject({
    on: false,
    wanted: true,
    problem: 'unexpected',
    message: expect.stringContaining('key.pem') as string,
  });
  await again.service.end();
  await rm(first.service.dir, { recursive: true, force: true });
});

function spawnCurl(args: readonly string[]): Promise<{ readonly status: number | null; readonly stdout: string }> {
  return new Promise((resolve) => {
    const child = spawn('curl', args);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.once('close', (code) => resolve({ status: code, stdout }));
  });
}
