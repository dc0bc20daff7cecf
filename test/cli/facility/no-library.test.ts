import { rm } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../free-port.ts';
import { startStandIn } from '../../service/object-storage/stand-in.ts';
import { useFacility } from './facility-scene.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const scene = useFacility();

test('with an object storage a facility needs no folder of the library, and commands need none either', async () => {
  const storage = await startStandIn();
  const { BENCHPORT_LIBRARY_DIR: library = '', ...others } = scene.environment;
  const environment = {
    ...others,
    BENCHPORT_S3_ENDPOINT: storage.settings.endpoint.origin,
    BENCHPORT_S3_BUCKET: 'bench',
    BENCHPORT_S3_ACCESS_KEY_ID: 'alice',
    BENCHPORT_S3_SECRET_ACCESS_KEY: 'secret',
  };
  await rm(library, { recursive: true });
  const run = async (...args: string[]) => scene.cli.run(args, 'a long enough passphrase', environment);
  const ok = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) as string });
    return stdout.trimEnd();
  };
  await ok('database', 'migrate');
  await ok('user', 'create', 'alice', '--admin', '--password-stdin');
  const scopes = 'api,read_measurement,write_measurement';
  const token = await ok('token', 'create', '--user', 'alice', '--name', 'bench', '--scopes', scopes);
  const port = await freePort();
  await scene.cli.serve(['--cluster', '--port', String(port), '--data', `${scene.cli.dir}/one`], environment);
  const url = `http://127.0.0.1:${port}`;
  const measured = `${scene.cli.dir}/measured`;
  await scene.cli.run(['upload', measured, '--to', url, '--id', 'run', '--token-file', '-'], token, {});
  const answer = await fetch(`${url}/measurements/run/files/0`, { headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 3_000_000]);

  expect(JSON.parse(await ok('library', 'check', '--json'))).toMatchObject({ checked: 1, wrong: [] });
  await ok('measurement', 'verify', 'run');
  for (const args of [
    ['measurement', 'register', measured, '--copy', '--owner', 'alice'],
    ['library', 'move', '--to', 'library'],
  ]) {
    const { status, stderr } = await run(...args);
    expect([status, stderr]).toEqual([expect.any(Number), expect.stringMatching(/no folder|BENCHPORT_LIBRARY_DIR/)]);
    expect(status).not.toBe(0);
  }
  await storage.close();
});
