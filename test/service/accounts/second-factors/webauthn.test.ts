import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relyingParty } from '../../../../src-main/service/accounts/second-factors/webauthn.ts';
import { startTestService, type TestService } from '../../start.ts';
import { asWindow } from '../../as-window.ts';
import { browserAt, type Browser } from '../../browser.ts';
import { password, secondFactor, sendFactor, signedIn, type SignedIn } from '../second-factor-browser.ts';
import { softKey, type SoftKey } from './soft-key.ts';

const rpId = 'localhost';
let service: TestService;
let origin: string;

beforeAll(async () => {
  // The base URL must name the port before the service starts; a port that was free usually stays
  // free.
  const probe = await startTestService();
  const { port } = probe;
  await probe.end();
  origin = `http://localhost:${port}`;
  service = await startTestService({ port, baseUrl: origin });
});
afterAll(() => service.end());

let count = 0;
async function somebody(): Promise<SignedIn & { readonly username: string }> {
  count += 1;
  const username = `user${count}`;
  return { ...(await signedIn(service, username)), username };
}

interface Options {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly excludeCredentials: readonly { readonly id: string }[];
  readonly authenticatorSelection: { readonly userVerification: string };
}

async function creationOptions(user: SignedIn): Promise<Options> {
  return (await (await user.call('POST', '/api/v4/user/webauthn/options')).json()) as Options;
}

async function addKey(user: SignedIn): Promise<SoftKey> {
  const key = softKey();
  const answer = await user.call('POST', '/api/v4/user/webauthn', {
    name: 'Blue key',
    response: key.register(await creationOptions(user), origin, rpId),
  });
  if (answer.status !== 201) throw new Error(`not registered: ${answer.status} ${await answer.text()}`);
  return key;
}

/** Submits the password. @returns the browser and the options of the next page. */
async function atSecondFactor(
  username: string,
): Promise<{ browser: Browser; options: { challenge: string; rpId: string; userVerification: string } }> {
  const browser = browserAt(service);
  await browser.signIn(username, password);
  return { browser, options: await pageOptions(browser) };
}

async function pageOptions(browser: Browser): Promise<{ challenge: string; rpId: string; userVerification: string }> {
  const page = await (await browser.get(secondFactor)).text();
  const text = /data-options="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? 'null';
  return JSON.parse(text) as { challenge: string; rpId: string; userVerification: string };
}

describe('S99 a security key', () => {
  test('is registered, signs in, and is removed', async () => {
    const user = await somebody();
    const options = await creationOptions(user);
    expect(options).toMatchObject({
      rp: { id: rpId },
      excludeCredentials: [],
      authenticatorSelection: { userVerification: 'discouraged' },
    });
    const key = await addKey(user);
    const account = (await (await user.browser.get('/api/v4/user/account')).json()) as {
      webauthn_keys: { id: number; name: string }[];
    };
    expect(account).toMatchObject({
      totp: false,
      webauthn_unavailable: null,
      webauthn_keys: [{ name: 'Blue key', last_used_at: null }],
    });
    expect(await service.services.secondFactors.enabled(user.userId)).toBe(true);
    expect((await creationOptions(user)).excludeCredentials).toEqual([expect.objectContaining({ id: key.id })]);

    const { browser, options: request } = await atSecondFactor(user.username);
    expect(request).toMatchObject({
      rpId,
      userVerification: 'discouraged',
      allowCredentials: [{ id: key.id, transports: ['usb'] }],
    });
    const answer = await sendFactor(browser, { response: JSON.stringify(key.use(request, origin, rpId, 1)) });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/ui/');
    expect((await browser.get('/api/v4/user')).status).toBe(200);

    expect((await user.call('DELETE', `/api/v4/user/webauthn/${account.webauthn_keys[0]?.id}`)).status).toBe(204);
    expect((await user.call('DELETE', `/api/v4/user/webauthn/${account.webauthn_keys[0]?.id}`)).status).toBe(404);
    expect(await service.services.secondFactors.enabled(user.userId)).toBe(false);
  });

  test('answers a registration challenge once, in its own browser, from our page only', async () => {
    const user = await somebody();
    const other = await somebody();
    const send = (from: SignedIn, response: unknown) =>
      from.call('POST', '/api/v4/user/webauthn', { name: 'x', response });
    const good = softKey().register(await creationOptions(user), origin, rpId);
    expect((await send(other, good)).status).toBe(400);
    expect((await send(user, good)).status).toBe(201);
    expect((await send(user, good)).status).toBe(400);
    for (const bad of [
      softKey().register(await creationOptions(user), 'https://elsewhere.example', rpId),
      softKey().register(await creationOptions(user), origin, 'elsewhere.example'),
      softKey().register({ challenge: 'AAAA' }, origin, rpId),
      {},
      { id: 5 },
    ]) {
      await creationOptions(user);
      expect((await send(user, bad)).status).toBe(400);
    }
    expect(await service.services.webauthnKeys.ofUser(user.userId)).toHaveLength(1);
  });

  test('cannot be registered again by another user', async () => {
    const user = await somebody();
    const key = await addKey(user);
    const other = await somebody();
    const answer = await other.call('POST', '/api/v4/user/webauthn', {
      name: 'x',
      response: key.register(await creationOptions(other), origin, rpId),
    });
    expect(answer.status).toBe(409);
  });

  test.each<[string, (key: SoftKey, options: { challenge: string }) => unknown]>([
    ['of another origin', (key, options) => key.use(options, 'https://elsewhere.example', rpId, 1)],
    ['for another host name', (key, options) => key.use(options, origin, 'elsewhere.example', 1)],
    ['to another challenge', (key) => key.use({ challenge: 'AAAA' }, origin, rpId, 1)],
    ['without anybody present', (key, options) => key.use(options, origin, rpId, 1, false)],
    ['of a key that nobody registered', (_key, options) => softKey().use(options, origin, rpId, 1)],
    [
      'that another key signed',
      (key, options) => ({ ...softKey().use(options, origin, rpId, 1), id: key.id, rawId: key.id }),
    ],
    ['that is no answer', () => 'x'],
    ['that is nothing', () => null],
  ])('whose answer %s is refused, and its challenge is used up', async (_name, forge) => {
    const user = await somebody();
    const key = await addKey(user);
    const { browser, options } = await atSecondFactor(user.username);
    expect((await sendFactor(browser, { response: JSON.stringify(forge(key, options)) })).status).toBe(422);
    expect((await sendFactor(browser, { response: JSON.stringify(key.use(options, origin, rpId, 1)) })).status).toBe(
      422,
    );
    expect(
      (await sendFactor(browser, { response: JSON.stringify(key.use(await pageOptions(browser), origin, rpId, 1)) }))
        .status,
    ).toBe(303);
  });

  test('whose counter does not grow is refused, and that is audited', async () => {
    const user = await somebody();
    const key = await addKey(user);
    const use = async (counter: number): Promise<number> => {
      const { browser, options } = await atSecondFactor(user.username);
      return (await sendFactor(browser, { response: JSON.stringify(key.use(options, origin, rpId, counter)) })).status;
    };
    expect(await use(0)).toBe(303);
    expect(await use(7)).toBe(303);
    expect(await use(7)).toBe(422);
    expect(await use(3)).toBe(422);
    expect(await use(0)).toBe(422);
    expect(await use(8)).toBe(303);
    const { rows } = await service.services.auditList.page(
      { userId: null, action: 'user.webauthn-counter', from: 0, before: Number.MAX_SAFE_INTEGER },
      10,
      0,
    );
    expect(rows.filter(({ subject }) => subject === `user:${user.userId}`)).toHaveLength(3);
    expect(rows[0]?.detail).toContain('Blue key counted 0 after 7');
  });

  test('can be replaced by a recovery code', async () => {
    const user = await somebody();
    expect((await user.call('POST', '/api/v4/user/recovery_codes')).status).toBe(409);
    await addKey(user);
    const { recovery_codes: codes } = (await (await user.call('POST', '/api/v4/user/recovery_codes')).json()) as {
      recovery_codes: string[];
    };
    const { browser } = await atSecondFactor(user.username);
    expect((await sendFactor(browser, { code: codes[9] ?? '' })).status).toBe(303);
  });
});

describe('where security keys cannot be used', () => {
  test.each([
    ['http://192.0.2.7:7420', 'work only if this server has a host name'],
    ['https://192.0.2.7', 'work only if this server has a host name'],
    ['https://[2001:db8::1]:7420', 'work only if this server has a host name'],
    ['http://bench.example', 'only over HTTPS'],
  ])('%s', (baseUrl, words) => {
    expect(relyingParty(baseUrl)).toContain(words);
  });

  test.each([
    ['https://bench.example:8443/lab', { id: 'bench.example', origin: 'https://bench.example:8443' }],
    ['http://localhost:7420', { id: 'localhost', origin: 'http://localhost:7420' }],
  ])('they can be used at %s', (baseUrl, party) => {
    expect(relyingParty(baseUrl)).toEqual(party);
  });

  test('the account says why: an address without a host name, the window, another host name', async () => {
    const own = await startTestService();
    const user = await signedIn(own, 'alice', true);
    const unavailable = (account: unknown) => (account as { webauthn_unavailable: string | null }).webauthn_unavailable;
    expect(unavailable(await (await user.browser.get('/api/v4/user/account')).json())).toContain('http://127.0.0.1');
    const refused = await user.call('POST', '/api/v4/user/webauthn/options');
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      type: 'urn:benchport:problem:webauthn-unavailable',
      detail: expect.stringContaining('host name'),
    });
    await own.end();

    await service.user('owner', true);
    expect(unavailable((await asWindow(service, 'GET', '/api/v4/user/account')).body)).toContain('in browsers');
    const byAddress = await signedIn({ ...service, url: origin.replace('localhost', '127.0.0.1') }, 'by-address');
    expect(unavailable(await (await byAddress.browser.get('/api/v4/user/account')).json())).toContain(
      `Open ${origin} to use them`,
    );
  });

  test('the sign-in page says where they can be used, and that an administrator can help', async () => {
    const user = await somebody();
    await addKey(user);
    const browser = browserAt({ url: origin.replace('localhost', '127.0.0.1') });
    await browser.signIn(user.username, password);
    const page = await (await browser.get(secondFactor)).text();
    expect(page).toContain(`Open ${origin} to use them`);
    expect(page).toContain('An administrator can reset');
    expect(page).not.toContain('data-options');
    expect(page).not.toContain('id="code"');
  });
});
