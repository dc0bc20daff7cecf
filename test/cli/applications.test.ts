import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine, type CommandLine } from './command-line.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
  await cli.ok(['user', 'create', 'alice', '--admin', '--password-stdin'], 'a rather long word\n');
});
afterAll(() => cli.end());

const create = [
  'app',
  'create',
  '--owner',
  'alice',
  '--name',
  'Plotter',
  '--scopes',
  'api,read_user',
  '--redirect-uri',
  'https://app.example/callback',
];

test('an application is registered, listed and removed', async () => {
  const made = JSON.parse(await cli.ok([...create, 'http://127.0.0.1/cb', '--trusted', '--legacy-implicit'])) as Record<
    string,
    unknown
  >;
  expect(made).toEqual({
    id: 1,
    client_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    client_secret: expect.stringMatching(/^bpas-[0-9a-f]{64}$/) as string,
  });
  const open = JSON.parse(await cli.ok([...create, '--redirect-uri', 'com.example.app:/cb', '--public'])) as Record<
    string,
    unknown
  >;
  expect(open).toMatchObject({ id: 2, client_secret: null });

  const list = await cli.ok(['app', 'list']);
  expect(list.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
    ['ID', 'NAME', 'OWNER', 'KIND', 'SCOPES'],
    [' 2', 'Plotter', 'alice', 'public', 'api read_user'],
    [' 1', 'Plotter', 'alice', 'confidential, trusted, implicit', 'api read_user'],
  ]);
  expect(list).not.toContain('bpas-');
  expect(JSON.parse(await cli.ok(['app', 'list', '--json']))).toMatchObject([
    { id: 2, confidential: false, redirect_uris: ['https://app.example/callback', 'com.example.app:/cb'] },
    {
      id: 1,
      trusted: true,
      legacy_implicit: true,
      redirect_uris: ['https://app.example/callback', 'http://127.0.0.1/cb'],
      owner: { username: 'alice' },
    },
  ]);
  expect(await cli.ok(['app', 'remove', '1'])).toBe('Removed application 1 (Plotter).');
  expect(JSON.parse(await cli.ok(['app', 'remove', '2', '--json']))).toEqual({ id: 2, removed: true });
  expect(await cli.ok(['app', 'list'])).toBe('');
});

test('the device grant is switched on and off, also for an application without a redirect URI', async () => {
  const device = [...create.slice(0, 8), '--public', '--device'];
  const { id } = JSON.parse(await cli.ok(device)) as { id: number };
  const shown = async () => JSON.parse(await cli.ok(['app', 'list', '--json'])) as unknown;
  expect(await shown()).toMatchObject([{ id, device_grant: true, redirect_uris: [] }]);
  expect(await cli.ok(['app', 'list'])).toContain('public, device');
  expect((await cli.run(['app', 'update', String(id), '--no-device'])).stderr).toContain('at least one redirect URI');
  const { id: other } = JSON.parse(await cli.ok(create)) as { id: number };
  expect(await cli.ok(['app', 'update', String(other), '--device'])).toBe(
    `Application ${other} (Plotter) may sign in with a code on a device.`,
  );
  expect(await shown()).toMatchObject([{ id: other, device_grant: true }, { id }]);
  expect(JSON.parse(await cli.ok(['app', 'update', String(other), '--no-device', '--json']))).toMatchObject({
    id: other,
    device_grant: false,
  });
  expect((await cli.run(['app', 'update', String(other)])).status).toBe(2);
  expect((await cli.run(['app', 'update', '999', '--device'])).status).toBe(1);
  for (const one of [id, other]) await cli.ok(['app', 'remove', String(one)]);
});

test('a running service accepts it at once, and refuses it after its removal', async () => {
  const service = await cli.serve();
  const { id, client_id: clientId } = JSON.parse(await cli.ok(create)) as { id: number; client_id: string };
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'https://app.example/callback',
    response_type: 'code',
  });
  const ask = async () =>
    (await fetch(`${service.url}/oauth/authorize?${query.toString()}`, { redirect: 'manual' })).status;
  expect(await ask()).toBe(302);
  await cli.ok(['app', 'remove', String(id)]);
  expect(await ask()).toBe(400);
  service.kill('SIGTERM');
  await service.ended;
});

test.each([
  [[...create, '--public', '--trusted'], 1, 'cannot be trusted'],
  [['app', 'create', '--owner', 'nobody', ...create.slice(4)], 1, 'no user nobody'],
  [[...create, 'http://app.example/cb'], 1, 'must use https'],
  [[...create, 'myapp:/cb'], 1, 'scheme'],
  [[...create.slice(0, 7), 'sudo', ...create.slice(8)], 1, 'scope sudo'],
  [['app', 'remove', '99'], 1, 'no application 99'],
  [['app', 'remove', 'x'], 2, 'whole number'],
  [['app', 'create', '--owner', 'alice'], 2, '--name'],
])('%j fails with a line that says why', async (args, status, words) => {
  const outcome = await cli.runHere(args);
  expect(outcome.stderr).toContain(words);
  expect(outcome.stdout).toBe('');
  expect(outcome.status).toBe(status);
});
