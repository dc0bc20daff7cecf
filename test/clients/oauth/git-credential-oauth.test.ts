import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { approve } from './approve.ts';
import { startProvider, type Provider } from './start-provider.ts';

// Third-party programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let provider: Provider;
let dir: string;
beforeAll(async () => {
  provider = await startProvider();
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-git-'));
});
afterAll(async () => {
  await provider.end();
  await rm(dir, { recursive: true });
});

test('git-credential-oauth gets git a token for the user who approves in the browser', async () => {
  // The redirect URI is `http://127.0.0.1:PORT` without a path, with any port (RFC 8252 section
  // 7.3).
  const application = await provider.register({
    name: 'git',
    redirectUris: ['http://127.0.0.1'],
    scopes: ['read_user', 'read_measurement'],
    confidential: false,
  });
  const opened = path.join(dir, 'opened');
  await mustRun('mkfifo', [opened]);
  // Replaces the two desktop commands that open an address, so that the test receives it.
  for (const command of ['open', 'xdg-open']) {
    await writeFile(path.join(dir, command), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    await chmod(path.join(dir, command), 0o755);
  }
  const settings = {
    'credential.helper': 'oauth',
    [`credential.${provider.url}.oauthClientId`]: application.clientId,
    [`credential.${provider.url}.oauthAuthURL`]: '/oauth/authorize',
    [`credential.${provider.url}.oauthTokenURL`]: '/oauth/token',
    [`credential.${provider.url}.oauthScopes`]: 'read_user read_measurement',
  };
  const config = path.join(dir, 'gitconfig');
  for (const [name, value] of Object.entries(settings)) await mustRun('git', ['config', '--file', config, name, value]);
  const env = {
    PATH: `${dir}:${process.env['PATH']}`,
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    HOME: dir,
  };
  const { host } = new URL(provider.url);
  const filled = mustRun('git', ['credential', 'fill'], { cwd: dir, env, input: `protocol=http\nhost=${host}\n\n` });

  const address = new URL(await Promise.race([readFile(opened, 'utf8'), filled]));
  expect(address.searchParams.get('code_challenge_method')).toBe('S256');
  const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
  expect([redirect.hostname, redirect.pathname]).toEqual(['127.0.0.1', '/']);
  const page = await approve(provider, address, [redirect.origin]);
  expect(page.status).toBe(200);

  const answer = Object.fromEntries((await filled).split('\n').map((line) => line.split('=', 2)));
  expect(answer).toMatchObject({ username: 'oauth2', password: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  const fetched = await fetch(provider.download, { headers: { authorization: `Bearer ${answer.password}` } });
  expect(fetched.status).toBe(200);
});
