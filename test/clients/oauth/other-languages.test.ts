import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { runClient, type ClientConfig } from './run-client.ts';
import { startProvider, type Provider, type Wish } from './start-provider.ts';

// Debian's Python regardless of PATH, because its packages are Debian's.
const python = '/usr/bin/python3';
const program = (name: string) => path.join(import.meta.dirname, 'programs', name);
const loopback = 'http://127.0.0.1:49152/callback';
// Third-party programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let provider: Provider;
let dir: string;
beforeAll(async () => {
  provider = await startProvider();
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-go-'));
});
afterAll(async () => {
  await provider.end();
  await rm(dir, { recursive: true });
});

async function configFor(wish: Omit<Wish, 'redirectUris'>, redirectUri: string): Promise<ClientConfig> {
  const { clientId, secret } = await provider.register({ ...wish, redirectUris: [redirectUri.replace(':49152', '')] });
  const { url, download, username, password } = provider;
  return { url, download, username, password, clientId, secret, redirectUri, scope: wish.scopes.join(' ') };
}

test('requests-oauthlib: a web application with a secret, and the password grant', async () => {
  const config = await configFor(
    { name: 'Requests', scopes: ['read_user', 'read_measurement'], confidential: true },
    'https://app.example.com/callback',
  );
  expect(await runClient(provider, python, [program('requests-oauthlib-client.py')], config)).toEqual({
    token_type: 'bearer',
    expires_in: 7200,
    scope: 'read_user read_measurement',
    user: 'alice',
    download: provider.downloadDigest,
    user_after_refresh: 'alice',
    refreshed: true,
    revoke: 200,
    user_after_revoke: 401,
    after_revoke: 'invalid_grant',
    password_grant: 'alice',
    password_refresh: true,
  });
});

test.each([
  { kind: 'with a secret', confidential: true, more: { introspection: true } },
  { kind: 'without a secret', confidential: false, more: {} },
])('Authlib: OpenID Connect $kind', async ({ kind, confidential, more }) => {
  const config = await configFor(
    { name: `Authlib ${kind}`, scopes: ['openid', 'profile', 'read_user', 'read_measurement'], confidential },
    loopback,
  );
  expect(await runClient(provider, python, [program('authlib-client.py')], config)).toEqual({
    token_type: 'bearer',
    scope: 'openid profile read_user read_measurement',
    user: 'alice',
    download: provider.downloadDigest,
    id_token: true,
    user_after_refresh: 'alice',
    refreshed: true,
    revoke: 200,
    user_after_revoke: 401,
    after_revoke: 'invalid_grant',
    ...more,
  });
});

test('python-gitlab: an OAuth token and a personal access token', async () => {
  const config = await configFor({ name: 'python-gitlab', scopes: ['api'], confidential: true }, loopback);
  expect(
    await runClient(provider, python, [program('python-gitlab-client.py')], {
      ...config,
      personalToken: await provider.personalToken(),
    }),
  ).toEqual({
    user: 'alice',
    name: 'Alice Ångström',
    download: provider.downloadDigest,
    private_user: 'alice',
    by_name: ['alice'],
    nobody: 0,
    by_number: 'alice',
    version: 3,
    listed: ['test'],
    after_delete: 401,
  });
});

test('golang.org/x/oauth2: with and without a secret, and the password grant', async () => {
  const binary = path.join(dir, 'client');
  // Debian's Go packages are sources in one tree, without modules and network.
  const env = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '', GOPROXY: 'off' };
  await mustRun('go', ['build', '-o', binary, '.'], { cwd: program('go'), env });
  const expected = {
    type: 'Bearer',
    minutes: 120,
    scope: 'read_user read_measurement',
    user: 'alice',
    download: provider.downloadDigest,
    refreshed: true,
    user_after_refresh: 'alice',
    revoke: 200,
    after_revoke: true,
  };
  const scopes = ['read_user', 'read_measurement'];
  const desktop = await configFor({ name: 'Go on a desktop', scopes, confidential: false }, loopback);
  expect(await runClient(provider, binary, [], desktop)).toEqual(expected);
  const server = await configFor({ name: 'Go on a server', scopes, confidential: true }, loopback);
  expect(await runClient(provider, binary, [], server)).toEqual({ ...expected, password_grant: 'alice' });
});
