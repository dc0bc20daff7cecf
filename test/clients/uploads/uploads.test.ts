import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { useTestService } from '../../service/use-service.ts';
import { fetchWith, prepareOnce, sayMissing } from '../prepare.ts';

// Third-party programs start slowly on a busy machine, and the first run fetches them.
vi.setConfig({ testTimeout: 240_000 });

// Debian's Python regardless of PATH.
const python = '/usr/bin/python3';
const bytes = randomBytes(3_500_000);
const service = useTestService();
let token: string;
let file: string;
beforeAll(async () => {
  token = await service.token(await service.user('alice'), ['write_measurement', 'read_measurement']);
  file = path.join(service.dir, 'scan.bin');
  await writeFile(file, bytes);
});

async function expectMeasurement(id: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const got = async (rest: string): Promise<Response> => fetch(`${service.url}/measurements/${id}${rest}`, { headers });
  await expect.poll(async () => (await got('/files')).status, { timeout: 20_000 }).toBe(200);
  expect(await (await got('/files')).json()).toMatchObject({ files: [{ path: 'scan.bin', length: bytes.length }] });
  expect(Buffer.from(await (await got('/files/0')).arrayBuffer()).equals(bytes)).toBe(true);
}

test('tuspy 1.1.0: goes on with an upload in a new process, with a checksum of each chunk', async () => {
  const prepared = await prepareOnce('uploads', 'tuspy', async (stage) => {
    await mustRun(python, ['-m', 'venv', path.join(stage, 'venv')]);
    const options = ['--disable-pip-version-check', '--retries', '1', '--no-deps', '--only-binary', ':all:'];
    const files = ['--target', path.join(stage, 'packages'), '-r', path.join(stage, 'requirements.txt')];
    await fetchWith(path.join(stage, 'venv/bin/python'), ['-m', 'pip', 'install', '-q', ...options, ...files]);
    await rm(path.join(stage, 'venv'), { recursive: true });
  });
  if ('missing' in prepared) return sayMissing('tuspy', prepared.missing);
  const env = { PYTHONPATH: path.join(prepared.home, 'packages') };
  await mustRun(python, [path.join(prepared.home, 'client.py'), file, service.url, token, 'by-tuspy'], { env });
  await expectMeasurement('by-tuspy');
});

test('Uppy 6.0.0: uploads in chunks', async () => {
  const prepared = await prepareOnce('uploads', 'uppy', (stage) =>
    fetchWith('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'], {
      cwd: stage,
    }),
  );
  if ('missing' in prepared) return sayMissing('Uppy', prepared.missing);
  const client = path.join(prepared.home, 'client.mjs');
  const told = await mustRun(process.execPath, [client, file, service.url, token, 'by-uppy']);
  expect(JSON.parse(told)).toEqual({ successful: 1, failed: [] });
  await expectMeasurement('by-uppy');
});
