import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { totpKeysStore } from '../../src-main/service/accounts/store/totp-keys-store.ts';
import { openDatabase } from '../../src-main/service/database/open.ts';
import { commandLine, type CommandLine } from './command-line.ts';
import { storeContext } from '../../src-main/service/database/store-context.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
  await cli.ok(
    ['user', 'create', 'alice', '--admin', '--name', 'Alice', '--email', 'alice@bench.example', '--password-stdin'],
    'a long password\n',
  );
});
afterAll(() => cli.end());

describe('users', () => {
  test('are listed for people and for programs', async () => {
    await cli.ok(['user', 'create', 'bob']);
    expect((await cli.ok(['user', 'list'])).split('\n').map((line) => line.split(/ {2,}/).slice(0, 5))).toEqual([
      ['USER', 'NAME', 'STATE', 'ROLE', 'TWO-FACTOR'],
      ['alice', 'Alice', 'active', 'administrator', 'off'],
      ['bob', 'bob', 'active', 'user', 'off'],
    ]);
    expect(JSON.parse(await cli.ok(['user', 'list', '--json']))).toMatchObject([
      { id: 1, username: 'alice', email: 'alice@bench.example', is_admin: true },
      { id: 2, username: 'bob', email: null, is_admin: false },
    ]);
    expect(JSON.parse(await cli.ok(['user', 'block', 'bob', '--json']))).toEqual({
      id: 2,
      username: 'bob',
      state: 'blocked',
    });
    expect(await cli.ok(['user', 'unblock', 'bob'])).toBe('User bob may sign in again.');
  });

  test('without their second factor can sign in again after it is removed', async () => {
    await cli.ok(['user', 'create', 'carol']);
    const database = openDatabase(cli.dataDir);
    const keys = totpKeysStore(storeContext(database).database);
    const [carol] = (JSON.parse(await cli.ok(['user', 'list', '--json'])) as { id: number; username: string }[]).filter(
      ({ username }) => username === 'carol',
    );
    await keys.begin(carol?.id ?? 0, Buffer.from('sealed'), Date.now());
    await keys.confirm(carol?.id ?? 0, 1, Date.now());
    database.close();
    expect(await cli.ok(['user', 'list'])).toMatch(/carol .* on /);
    expect(await cli.ok(['user', 'reset-2fa', 'carol'])).toBe('User carol now signs in with the password alone.');
    expect(JSON.parse(await cli.ok(['user', 'reset-2fa', 'carol', '--json']))).toEqual({
      id: carol?.id,
      username: 'carol',
      reset: false,
    });
    expect(await cli.ok(['user', 'list'])).not.toMatch(/ on /);
  });

  test.each([
    [['user', 'reset-2fa', 'nobody'], '', 'no user nobody'],
    [['user', 'create', 'other', '--password-stdin'], 'password123\n', 'too easy to guess'],
    [['user', 'create', 'ALICE'], '', 'taken'],
    [['user', 'create', 'other', '--email', 'Alice@bench.example'], '', 'taken'],
    [['user', 'create', 'other', '--email', 'nowhere'], '', 'is not an e-mail address'],
    [['user', 'create', 'a b'], '', 'A user name has'],
    [['user', 'create', 'other', '--password-stdin'], '', 'No password was received'],
    [['user', 'create', 'other', '--password-stdin'], 'short\n', '8 to 128'],
    [['user', 'create', 'other', '--password-stdin'], `${'x'.repeat(129)}\n`, '8 to 128'],
    [['user', 'block', 'nobody'], '', 'no user nobody'],
    [['token', 'create', '--user', 'nobody', '--name', 'x', '--scopes', 'api'], '', 'no user nobody'],
    [['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', 'api,sudo'], '', 'Unknown scope: sudo'],
    [['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', ','], '', 'at least one scope'],
    [['token', 'create', '--user', 'alice', '--name', '', '--scopes', 'api'], '', 'name'],
    [
      ['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', 'api', '--expires', '2020-01-01'],
      '',
      'would never work',
    ],
    [
      ['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', 'api', '--expires', 'soon'],
      '',
      'soon is not a date',
    ],
    [['token', 'revoke', '999'], '', 'no token 999'],
    [['project', 'create', '../x'], '', 'cannot be the path'],
    [['project', 'create', 'api/x'], '', 'cannot be the path'],
    [['project', 'create', 'lab', '--owner', 'nobody'], '', 'no user nobody'],
    [['project', 'member', 'nothing', '--user', 'alice', '--role', 'owner'], '', 'no project nothing'],
    [['measurement', 'show', 'nothing'], '', 'no measurement nothing'],
    [['measurement', 'grant', 'nothing', '--everyone'], '', 'no measurement nothing'],
    [['measurement', 'verify', 'nothing'], '', 'no measurement nothing'],
    [['measurement', 'remove', 'nothing'], '', 'no measurement nothing'],
    [['measurement', 'export', 'nothing', '--to', '.'], '', 'no measurement nothing'],
    [['measurement', 'register', '/nothing/here'], '', '/nothing/here cannot be registered'],
  ])('%j fails with one line that says why', async (args, input, words) => {
    const { status, stdout, stderr } = await cli.runHere(args, input);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^benchport: [^\n]+\n$/);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  test('--data selects another directory', async () => {
    const other = path.join(cli.dir, 'other');
    await cli.ok(['user', 'create', 'bob', '--data', other]);
    expect(JSON.parse(await cli.ok(['user', 'list', '--json', '--data', other]))).toHaveLength(1);
  });
});

describe('while a service runs on the same data directory', () => {
  test('it accepts new tokens at once, and refuses revoked ones with the next request', async () => {
    const service = await cli.serve();
    const token = await cli.ok([
      'token',
      'create',
      '--user',
      'alice',
      '--name',
      'lab',
      '--scopes',
      'read_api,read_user',
    ]);
    expect(token).toMatch(/^bppat-[0-9A-Za-z]{38}$/);
    const ask = async () =>
      (await fetch(`${service.url}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask()).toBe(200);
    const [listed] = JSON.parse(await cli.ok(['token', 'list', '--user', 'alice', '--json'])) as {
      id: number;
      user: string;
      scopes: string[];
    }[];
    expect(listed).toMatchObject({ user: 'alice', scopes: ['read_api', 'read_user'] });
    await cli.ok(['token', 'revoke', String(listed?.id)]);
    expect(await ask()).toBe(401);
    expect(await cli.ok(['token', 'list'])).toContain('revoked');

    const second = await cli.ok(['token', 'create', '--user', 'alice', '--name', 'lab', '--scopes', 'api']);
    const askAgain = async () =>
      (await fetch(`${service.url}/api/v4/user`, { headers: { 'private-token': second } })).status;
    expect(await askAgain()).toBe(200);
    expect((await cli.run(['user', 'block', 'alice'])).stderr).toContain('last active administrator');
    expect(await askAgain()).toBe(200);
    await cli.ok(['user', 'create', 'steward', '--admin']);
    await cli.ok(['user', 'block', 'alice']);
    expect(await askAgain()).toBe(401);
    await cli.ok(['user', 'unblock', 'alice']);
    // The account was blocked.
    expect(await askAgain()).toBe(401);
    const third = await cli.ok(['token', 'create', '--user', 'alice', '--name', 'lab', '--scopes', 'api']);

    await cli.ok(['project', 'create', 'lab/qmr', '--owner', 'alice']);
    await cli.ok(['project', 'member', 'lab/qmr', '--user', 'alice', '--role', 'developer']);
    const projects = (await (
      await fetch(`${service.url}/api/v4/projects`, { headers: { 'private-token': third } })
    ).json()) as unknown;
    expect(projects).toMatchObject([{ id: 1, path: 'lab/qmr', name: 'qmr' }]);
    expect((await cli.run(['project', 'create', 'LAB/qmr'])).stderr).toContain('already');
    await cli.ok(['project', 'create', 'beam', '--name', 'Beam line']);
    await cli.ok(['project', 'member', 'lab/qmr', '--user', 'bob', '--role', 'reporter']);
    expect((await cli.ok(['project', 'list'])).split('\n').map((line) => line.split(/ {2,}/).with(4, ''))).toEqual([
      ['PATH', 'NAME', 'ERROR TRACKING', 'UNRESOLVED', '', 'MEMBERS'],
      ['beam', 'Beam line', 'off', '0', '', '-'],
      ['lab/qmr', 'qmr', 'off', '0', '', 'alice (developer), bob (reporter)'],
    ]);
    expect(JSON.parse(await cli.ok(['project', 'list', '--json']))).toEqual([
      expect.objectContaining({ path: 'beam', name: 'Beam line', members: [] }),
      {
        id: 1,
        path: 'lab/qmr',
        name: 'qmr',
        monitor: true,
        error_tracking: { active: false, integrated: true, unresolved: 0 },
        members: [
          { username: 'alice', role: 'developer' },
          { username: 'bob', role: 'reporter' },
        ],
        created_at: expect.stringMatching(/^20.*Z$/),
      },
    ]);

    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });
});

test('quotas are set, shown and lifted, and only to sizes', async () => {
  await cli.ok(['user', 'create', 'quinn']);
  await cli.ok(['project', 'create', 'quota-lab']);
  for (const subject of [
    ['user', 'quinn'],
    ['project', 'quota-lab'],
  ] as const) {
    const [kind, name] = subject;
    const quota = async (...args: readonly string[]) => cli.runHere([kind, 'quota', name, ...args]);
    expect((await quota()).stdout).toBe(`${name} has no quota; 0 B are taken.\n`);
    expect((await quota('1.5 TiB')).stdout).toBe(`${name} has a quota of 1.5 TiB; 0 B are taken.\n`);
    expect(JSON.parse((await quota('2GB', '--json')).stdout)).toEqual({
      quota_bytes: 2e9,
      used_bytes: 0,
      unfinished_bytes: 0,
      removed_bytes: 0,
    });
    expect(await quota('much')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('much is no size') as string,
    });
    expect((await quota('none')).stdout).toBe(`${name} has no quota; 0 B are taken.\n`);
  }
  expect(await cli.runHere(['user', 'quota', 'nobody'])).toMatchObject({ status: 1 });
});
