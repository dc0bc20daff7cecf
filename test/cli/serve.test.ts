import Database from 'better-sqlite3';
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { commandLine, linesForPeople } from './command-line.ts';
import { useFreshWorld } from '../service/use-service.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const cli = useFreshWorld(commandLine);

describe('serve', () => {
  test('prints one JSON line and instructions for signing in, which work', async () => {
    const service = await cli.serve();
    const { stdout, stderr } = service.output();
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([{ event: 'listening', url: service.url, pid: service.pid }]);
    await expect.poll(() => linesForPeople(service.output().stderr)).toHaveLength(1);
    const address = new URL(/http:\S+/.exec(linesForPeople(service.output().stderr)[0] ?? stderr)?.[0] ?? '');
    expect(address.pathname).toBe('/ui/setup');
    expect(linesForPeople(service.output().stderr)[0]).toContain('or run "benchport user create NAME --admin" here');
    const answer = await fetch(`${service.url}/api/v4/setup${address.search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'alice', name: 'Alice', password: 'a long password' }),
    });
    expect(answer.status).toBe(201);
    service.kill('SIGINT');
    expect(await service.ended).toEqual({ code: 0, signal: null });

    const again = await cli.serve();
    expect(linesForPeople(again.output().stderr)).toEqual([]);
  });

  test('a restart keeps the setup code, and another installation has another', async () => {
    const codes = [];
    for (const data of ['one', 'one', 'two']) {
      const service = await cli.serve(['--data', path.join(cli.dir, data)]);
      await expect.poll(() => service.output().stderr).toContain('code=');
      codes.push(/code=([0-9a-f]{32})/.exec(service.output().stderr)?.[1]);
      service.kill('SIGTERM');
      await service.ended;
    }
    expect(codes[1]).toBe(codes[0]);
    expect(codes[2]).not.toBe(codes[0]);
  });

  test('S106 listens on the loopback only by default', async () => {
    const service = await cli.serve();
    const port = Number(new URL(service.url).port).toString(16).toUpperCase().padStart(4, '0');
    // proc_net_tcp(5): local address and port in hexadecimal, the bytes of the address reversed;
    // state 0A is LISTEN.
    const listening = (
      await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(async (file) => readFile(file, 'utf8').catch(() => '')))
    )
      .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
      .filter(([, local, , state]) => local?.endsWith(`:${port}`) === true && state === '0A');
    expect(listening.map(([, local]) => local)).toEqual([`0100007F:${port}`]);
  });

  test('warns when it listens on the network', async () => {
    const service = await cli.serve(['--host', '0.0.0.0']);
    await expect
      .poll(() => linesForPeople(service.output().stderr).join('\n'))
      .toContain('Warning: 0.0.0.0 is open to the network');
    expect(new URL(service.url).hostname).not.toBe('0.0.0.0');
  });

  test('stops while a client has an event stream open', async () => {
    await cli.ok(['user', 'create', 'alice']);
    const token = await cli.ok(['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', 'api']);
    const service = await cli.serve();
    const events = await fetch(`${service.url}/api/v4/events`, { headers: { 'private-token': token } });
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
    expect(await events.text()).toContain('retry:');
  });
});

describe('a start that fails', () => {
  async function refused(words: string, args: readonly string[] = []): Promise<void> {
    const { status, stdout, stderr } = await cli.run(['serve', '--port', '0', ...args]);
    expect(stderr).toContain(words);
    expect(linesForPeople(stderr)).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  }

  test('two services on one data directory', async () => {
    const service = await cli.serve();
    await refused('Another Benchport service is using the data directory');
    expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
  });

  test('after a kill the next service starts', async () => {
    const service = await cli.serve();
    service.kill('SIGKILL');
    await service.ended;
    const next = await cli.serve();
    expect((await fetch(`${next.url}/-/readiness`)).status).toBe(200);
  });

  test('a port that is in use; the data are free afterwards', async () => {
    const service = await cli.serve();
    const other = path.join(cli.dir, 'other');
    const { port } = new URL(service.url);
    await refused(`Port ${port} on 127.0.0.1 is in use`, ['--data', other, '--port', port]);
    const third = await cli.serve(['--data', other]);
    expect((await fetch(`${third.url}/-/health`)).status).toBe(200);
  });

  test('an address of another machine', () =>
    refused('192.0.2.77 is not an address of this machine', ['--host', '192.0.2.77']));

  test('a damaged database', async () => {
    await cli.ok(['user', 'create', 'alice']);
    const file = path.join(cli.dataDir, 'benchport.db');
    await writeFile(file, 'this is not a database, and long enough to look like one '.repeat(200));
    await refused('is damaged. Move it away and restore a backup');
    const { status, stderr } = await cli.run(['user', 'list']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('is damaged')]);
    const doctor = await cli.run(['doctor', '--port', '0']);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toMatch(/FAILED {2}database: .*damaged/);
  });

  test('a database of a newer program, which stays unchanged', async () => {
    await cli.ok(['user', 'create', 'alice']);
    const file = path.join(cli.dataDir, 'benchport.db');
    const database = new Database(file);
    database.pragma('user_version = 9999');
    database.close();
    const before = await readFile(file);
    await refused('written by a newer Benchport');
    expect((await cli.run(['user', 'list'])).stderr).toContain('written by a newer Benchport');
    expect(await readFile(file)).toEqual(before);
  });

  test('a data directory that is a file', async () => {
    await writeFile(cli.dataDir, '');
    await refused('is not a directory');
  });

  test('a directory that cannot be written', async () => {
    // Root can write everywhere else.
    const dir = process.getuid?.() === 0 ? '/sys/benchport' : path.join(cli.dir, 'closed');
    if (process.getuid?.() !== 0) {
      await mkdir(dir);
      await chmod(dir, 0o500);
    }
    const { status, stderr } = await cli.run(['serve', '--port', '0', '--data', dir]);
    expect(status).toBe(1);
    expect(stderr).toContain(dir);
    expect(linesForPeople(stderr)).toHaveLength(1);
    expect(linesForPeople(stderr)[0]).not.toContain('unexpected');
  });
});

describe('secrets', () => {
  test('are neither in the log nor in any file of the data directory', async () => {
    const password = 'correct-horse-battery';
    await cli.ok(['user', 'create', 'alice', '--admin', '--password-stdin'], `${password}\n`);
    const token = await cli.ok(['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', 'api']);
    const service = await cli.serve([], { BENCHPORT_LOG: 'debug' });

    const page = await fetch(`${service.url}/users/sign_in`);
    const formCookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const formToken = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const signIn = await fetch(`${service.url}/users/sign_in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: formCookie },
      body: new URLSearchParams({ form_token: formToken, username: 'alice', password }),
    });
    const session = /benchport_session=([0-9a-f]{64})/.exec(signIn.headers.getSetCookie().join())?.[1] ?? '';
    expect(session).not.toBe('');
    const cookie = `benchport_session=${session}`;
    const { csrf_token: csrf } = (await (
      await fetch(`${service.url}/api/v4/session`, { headers: { cookie } })
    ).json()) as { csrf_token: string };
    const created = await fetch(`${service.url}/api/v4/user/personal_access_tokens`, {
      method: 'POST',
      headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'y', scopes: ['api'] }),
    });
    const { token: second } = (await created.json()) as { token: string };
    await fetch(`${service.url}/api/v4/user?access_token=${second}`);
    await fetch(`${service.url}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } });
    await fetch(`${service.url}/api/v4/user`, {
      headers: { authorization: 'Bearer bppat-wrong-but-secret-all-the-same' },
    });
    await fetch(`${service.url}/api/v4/setup?code=guessed-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    service.kill('SIGTERM');
    await service.ended;

    const { stdout, stderr } = service.output();
    expect(stderr).toContain('/api/v4/user?access_token=');
    const entries = await readdir(cli.dataDir, { recursive: true, withFileTypes: true });
    const stored = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')),
    );
    expect(stored.join('')).toContain('alice');
    for (const secret of [password, token, second, session, csrf, formToken, 'wrong-but-secret', 'guessed-code']) {
      expect(secret.length).toBeGreaterThan(8);
      expect(stdout + stderr).not.toContain(secret);
      expect(stored.some((text) => text.includes(secret))).toBe(false);
    }
  });

  test('the data directory cannot be read by other users', async () => {
    const service = await cli.serve();
    service.kill('SIGTERM');
    await service.ended;
    const { mode } = await stat(cli.dataDir);
    expect(mode & 0o077).toBe(0);
    await chmod(cli.dataDir, 0o755);
    expect((await cli.run(['doctor', '--port', '0'])).stdout).toMatch(/FAILED {2}data directory: other users/);
  });
});
