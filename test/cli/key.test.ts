import { readFile, readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { startDouble } from '../service/errors/external/sentry-double.ts';
import { commandLine, type CommandLine } from './command-line.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
  await cli.ok(['user', 'create', 'alice', '--admin']);
  await cli.ok(['project', 'create', 'lab/qmr', '--owner', 'alice']);
});
afterAll(() => cli.end());

interface Key {
  readonly id: number;
  readonly public_key: string;
  readonly sentry_dsn: string;
}

test('a key is created, listed and deleted, with the address of the service', async () => {
  const made = await cli.run(['key', 'create', '--project', 'lab/qmr']);
  expect(made.stderr).toContain('Settings > Monitor > Error Tracking');
  const first = JSON.parse(made.stdout) as Key;
  expect(first).toEqual({
    id: 1,
    active: true,
    public_key: first.public_key,
    sentry_dsn: `http://${first.public_key}@127.0.0.1:7420/api/v4/error_tracking/collector/1`,
    sentry_dsn_deprecated: expect.stringMatching(
      `^http://${first.public_key}:[0-9a-f]{32}@127\\.0\\.0\\.1:7420/api/v4/error_tracking/collector/1$`,
    ) as string,
  });

  const port = await freePort();
  const service = await cli.serve(['--port', String(port), '--base-url', 'https://bench.example/lab']);
  const token = await cli.ok(['token', 'create', '--user', 'alice', '--name', 'lab', '--scopes', 'api']);
  const address = `http://127.0.0.1:${port}/api/v4/projects/lab%2Fqmr/error_tracking`;
  const headers = { 'private-token': token, 'content-type': 'application/json' };
  await fetch(`${address}/settings`, { method: 'PUT', headers, body: '{"active":true,"integrated":true}' });

  const second = await cli.run(['key', 'create', '--project', 'LAB/qmr']);
  expect(second.stderr).toBe('');
  const key = JSON.parse(second.stdout) as Key;
  expect(key.sentry_dsn).toBe(`https://${key.public_key}@bench.example/lab/api/v4/error_tracking/collector/1`);
  const listed = (await (await fetch(`${address}/client_keys`, { headers })).json()) as Key[];
  expect(listed).toEqual(JSON.parse(await cli.ok(['key', 'list', '--project', 'lab/qmr', '--json'])));
  expect(listed.map(({ id }) => id)).toEqual([1, 2]);
  expect((await cli.ok(['key', 'list', '--project', 'lab/qmr'])).split('\n')[0]).toMatch(
    /^ID +EVENTS +CREATED +LAST USED +DSN$/,
  );

  expect(await cli.ok(['key', 'delete', '1'])).toBe('Deleted client key 1 of lab/qmr.');
  expect(((await (await fetch(`${address}/client_keys`, { headers })).json()) as Key[]).map(({ id }) => id)).toEqual([
    2,
  ]);
  expect((await cli.run(['key', 'delete', '1'])).stderr).toContain('There is no client key 1.');
  expect((await cli.run(['key', 'create', '--project', 'lab/nowhere'])).stderr).toContain(
    'There is no project lab/nowhere.',
  );
  expect((await cli.run(['key', 'create'])).status).toBe(2);
  service.kill('SIGTERM');
  await service.ended;
});

test('the token of an external backend is in neither the log nor the database, whatever fails', async () => {
  const sentry = await startDouble();
  const service = await cli.serve([], { BENCHPORT_LOG: 'debug' });
  const headers = {
    'private-token': await cli.ok(['token', 'create', '--user', 'alice', '--name', 'more', '--scopes', 'api']),
    'content-type': 'application/json',
  };
  const secret = 'sntrys_eyJpYXQiOjE3-hidden';
  try {
    for (const host of [sentry.origin, 'http://127.0.0.1:1', 'https://no-such-host.invalid', 'not an address']) {
      const query = new URLSearchParams({ api_host: host, token: secret }).toString();
      const answer = await fetch(`${service.url}/lab/qmr/-/error_tracking/projects.json?${query}`, { headers });
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain(secret);
    }
    expect(sentry.seen[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    await fetch(`${service.url}/lab/qmr/-/error_tracking/projects.json?token=${secret}`, { headers });
    await fetch(`${service.url}/lab/qmr/-/error_tracking/projects.json/x?token=${secret}`);
    const body = JSON.stringify({
      active: true,
      integrated: false,
      api_url: `${sentry.origin}/api/0/projects/lab/bench`,
      token: secret,
    });
    expect(
      (await fetch(`${service.url}/api/v4/projects/1/error_tracking/settings`, { method: 'PUT', headers, body }))
        .status,
    ).toBe(200);
    const { stderr } = service.output();
    expect(stderr).toContain('/-/error_tracking/projects.json?api_host=&token=');
    expect(stderr).not.toContain(secret);
    for (const file of await readdir(cli.dataDir)) {
      if (file.startsWith('benchport.db'))
        expect((await readFile(`${cli.dataDir}/${file}`)).includes(secret), file).toBe(false);
    }
  } finally {
    await sentry.end();
    service.kill('SIGTERM');
    await service.ended;
  }
});
