import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { freePort } from '../../free-port.ts';
import { startStandIn } from '../../service/object-storage/stand-in.ts';
import { sparseFile } from '../../service/measurements/registration/support.ts';
import { programEntry } from '../../service/program-entry.ts';
import { useFacility } from './facility-scene.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const scene = useFacility();

const ok = async (...args: string[]) => {
  const { status, stdout, stderr } = await scene.cli.run(args, 'a long enough passphrase', scene.environment);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) as string });
  return stdout.trimEnd();
};
/** Alice, her measurement `run` and a token that may read it. */
async function prepared(): Promise<string> {
  await ok('database', 'migrate');
  await ok('user', 'create', 'alice', '--admin', '--password-stdin');
  await ok(
    'measurement',
    'register',
    path.join(scene.cli.dir, 'measured'),
    '--id',
    'run',
    '--copy',
    '--owner',
    'alice',
  );
  return ok('token', 'create', '--user', 'alice', '--name', 'bench', '--scopes', 'api,read_measurement');
}
const replica = async (name: string, ...args: string[]) =>
  scene.cli.serve(
    ['--cluster', '--replica', name, '--data', path.join(scene.cli.dir, name), ...args],
    scene.environment,
  );
const get = async (url: string, address: string, token: string) =>
  fetch(`${url}${address}`, { headers: { authorization: `Bearer ${token}` } });
/** The address that a replica listens on; its base URL is the balancer's. */
const at = (port: number) => `http://127.0.0.1:${port}`;

/** The processes that a process has started. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

describe('a facility', () => {
  test('tables are created once, and a replica refuses a database without them', async () => {
    const early = await scene.cli.run(['serve', '--cluster', '--port', '0'], '', scene.environment);
    expect(early.status).toBe(1);
    expect(early.stderr).toContain('Run "benchport database migrate" first.');
    expect(await ok('database', 'migrate')).toMatch(/^The tables were created \(version \d+\)\.$/);
    expect(await ok('database', 'migrate')).toMatch(/^The tables are up to date/);
  });

  test('two replicas serve what a command registered, and a revocation at one holds at the other', async () => {
    const token = await prepared();
    const ports = [await freePort(), await freePort()] as const;
    await replica('one', '--port', String(ports[0]));
    await replica('two', '--port', String(ports[1]));
    for (const port of ports) {
      const answer = await get(at(port), '/measurements/run/files/0', token);
      expect(answer.status).toBe(200);
      expect((await answer.arrayBuffer()).byteLength).toBe(3_000_000);
      expect(await (await fetch(`${at(port)}/-/readiness`)).json()).toMatchObject({ status: 'ok', replica: 'ok' });
    }
    await expect
      .poll(
        async () =>
          ((await (await get(at(ports[0]), '/api/v4/service', token)).json()) as { replicas: number }).replicas,
      )
      .toBe(2);
    const revoked = await fetch(`${at(ports[0])}/api/v4/personal_access_tokens/self`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(revoked.status).toBe(204);
    expect(revoked.headers.get('benchport-unconfirmed')).toBeNull();
    expect((await get(at(ports[1]), '/measurements/run/files', token)).status).toBe(401);
  });

  test('replicas with an object storage serve what a command stored, and one goes on when the other is killed', async () => {
    const storage = await startStandIn();
    const library = scene.environment['BENCHPORT_LIBRARY_DIR'] ?? '';
    scene.environment = {
      ...scene.environment,
      BENCHPORT_S3_ENDPOINT: storage.settings.endpoint.origin,
      BENCHPORT_S3_BUCKET: 'bench',
      BENCHPORT_S3_ACCESS_KEY_ID: 'alice',
      BENCHPORT_S3_SECRET_ACCESS_KEY: 'secret',
    };
    const token = await prepared();
    const ports = [await freePort(), await freePort()] as const;
    const first = await replica('one', '--port', String(ports[0]));
    await replica('two', '--port', String(ports[1]));
    expect([...storage.objects.keys()].map((key) => path.extname(key)).toSorted()).toEqual(['.json', '.zip']);
    const left = await readdir(library, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
    for (const port of ports) {
      const answer = await get(at(port), '/measurements/run', token);
      expect([answer.status, answer.headers.get('content-length')]).toEqual([
        200,
        String((await answer.arrayBuffer()).byteLength),
      ]);
    }
    const elsewhere = await scene.cli.run(
      ['serve', '--cluster', '--port', '0', '--data', path.join(scene.cli.dir, 'three')],
      '',
      {
        ...scene.environment,
        BENCHPORT_S3_PREFIX: 'elsewhere',
      },
    );
    expect([elsewhere.status, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining('The object storage s3://bench/elsewhere/ is not that of the replicas that run now'),
    ]);
    // The block cache of the killed replica is not needed by the other.
    first.kill('SIGKILL');
    await first.ended;
    const range = await fetch(`${at(ports[1])}/measurements/run/files/0`, {
      headers: { authorization: `Bearer ${token}`, range: 'bytes=2999990-' },
    });
    expect([range.status, (await range.arrayBuffer()).byteLength]).toEqual([206, 10]);
    await ok('measurement', 'remove', 'run');
    expect((await get(at(ports[1]), '/measurements/run/files/0', token)).status).toBe(404);
    // The archive, its description, and that it was removed.
    expect(storage.objects.size).toBe(3);
    await ok('measurement', 'restore', 'run');
    expect((await get(at(ports[1]), '/measurements/run/files/0', token)).status).toBe(200);
    expect(storage.objects.size).toBe(2);
    await storage.close();
  });

  test('a replica that stops says so first, and answers until then', async () => {
    const token = await prepared();
    const port = await freePort();
    const service = await replica('one', '--port', String(port));
    service.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${at(port)}/-/readiness`)).status).toBe(503);
    const answer = await get(at(port), '/measurements/run/files/0', token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    expect((await answer.arrayBuffer()).byteLength).toBe(3_000_000);
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });

  test('another secret key or base URL than that of the replicas that run is refused', async () => {
    await prepared();
    await replica('one', '--port', String(await freePort()));
    const other = path.join(scene.cli.dir, 'other.key');
    await writeFile(other, randomBytes(32));
    const wrongKey = await scene.cli.run(
      ['serve', '--cluster', '--port', '0', '--data', path.join(scene.cli.dir, 'two'), '--secret-key-file', other],
      '',
      scene.environment,
    );
    expect(wrongKey.stderr).toContain('The secret key is not the one that this database was used with.');
    const wrongUrl = await scene.cli.run(
      [
        'serve',
        '--cluster',
        '--port',
        '0',
        '--data',
        path.join(scene.cli.dir, 'two'),
        '--base-url',
        'http://other.example',
      ],
      '',
      scene.environment,
    );
    expect(wrongUrl.stderr).toContain('differs from that of the replicas that run now (http://bench.example:7420)');
    expect([wrongKey.status, wrongUrl.status]).toEqual([1, 1]);
  });

  test('workers share one port, and one that is killed is started again', async () => {
    const token = await prepared();
    const port = await freePort();
    const service = await replica('many', '--port', String(port), '--workers', '2');
    expect(JSON.parse(service.output().stdout)).toMatchObject({ event: 'listening', workers: 2 });
    const names = async () => {
      const rows = await scene.database.query<{ name: string; pid: number }>('SELECT name FROM replicas ORDER BY name');
      return rows.map(({ name }) => name);
    };
    expect(await names()).toEqual(['many-1', 'many-2']);
    for (let round = 0; round < 6; round += 1)
      expect((await get(at(port), '/measurements/run/files/0', token)).status).toBe(200);
    const workers = await childrenOf(service.pid);
    expect(workers).toHaveLength(2);
    process.kill(workers[0] ?? 0, 'SIGKILL');
    await expect.poll(() => service.output().stderr, { timeout: 20_000 }).toContain('it is started again');
    await expect.poll(async () => (await childrenOf(service.pid)).length, { timeout: 20_000 }).toBe(2);
    expect((await get(at(port), '/measurements/run/files/0', token)).status).toBe(200);
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(await names()).not.toContain('many-2');
  });
});

test('what a killed command was registering is registered to the end by a replica', async () => {
  await prepared();
  const large = path.join(scene.cli.dir, 'large');
  await mkdir(large);
  await sparseFile(path.join(large, 'z.bin'), 700_000_000);
  const args = ['measurement', 'register', large, '--id', 'large', '--copy', '--owner', 'alice'];
  const command = spawn(process.execPath, [programEntry('command line'), ...args], {
    env: { ...process.env, ...scene.environment },
    stdio: 'ignore',
  });
  const jobs = async () =>
    scene.database.query<{ state: string; serves: number }>(
      "SELECT state, serves FROM jobs LEFT JOIN replicas ON replicas.id = replica_id WHERE measurement_id = 'large'",
    );
  await expect.poll(jobs, { timeout: 20_000, interval: 20 }).toMatchObject([{ state: 'running' }]);
  command.kill('SIGKILL');
  await once(command, 'exit');
  expect(await jobs()).toMatchObject([{ state: 'running' }]);
  await replica('one', '--port', String(await freePort()));
  await expect.poll(jobs, { timeout: 60_000 }).toMatchObject([{ state: 'done' }]);
  const query = "SELECT state FROM measurements WHERE id = 'large'";
  expect(await scene.database.query(query)).toEqual([{ state: 'available' }]);
});
