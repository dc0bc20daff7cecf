import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { fetchWith, prepareOnce, sayMissing } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// Third-party programs start slowly on a busy machine, and the first run fetches them.
vi.setConfig({ testTimeout: 240_000 });

// Debian's Python regardless of PATH.
const python = '/usr/bin/python3';
let world: SdkWorld;
beforeAll(async () => {
  world = await startSdkWorld();
});
afterAll(() => world.service.end());

test('sentry-sdk 1.21.0 for Python: a session, an error with its cause and a message', async () => {
  const prepared = await prepareOnce('sentry', 'python', async (stage) => {
    // Only its pip is needed: the installed packages suit any Python, so a later one may run them.
    await mustRun(python, ['-m', 'venv', path.join(stage, 'venv')]);
    const options = [
      '--disable-pip-version-check',
      '--retries',
      '1',
      '--require-hashes',
      '--no-deps',
      '--only-binary',
      ':all:',
    ];
    const files = ['--target', path.join(stage, 'packages'), '-r', path.join(stage, 'requirements.txt')];
    await fetchWith(path.join(stage, 'venv/bin/python'), ['-m', 'pip', 'install', '-q', ...options, ...files]);
    await rm(path.join(stage, 'venv'), { recursive: true });
  });
  if ('missing' in prepared) return sayMissing('sentry-sdk for Python', prepared.missing);
  const project = await world.project('lab/python');
  const env = { SENTRY_DSN: project.dsn, PYTHONPATH: path.join(prepared.home, 'packages') };
  await mustRun(python, [path.join(prepared.home, 'client.py')], { env });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: 'sentry.python 1.21.0',
      platform: 'python',
      exceptions: [
        { type: 'ConnectionError', value: 'port 7 does not answer', functions: ['read_measurement', 'open_device'] },
        { type: 'ValueError', value: 'measurement QX-7 was not read', functions: ['read_measurement'] },
      ],
    }),
  );
  expect(await project.releases()).toMatchObject([
    { release: 'bench@1.4.0', environment: 'lab-3', sessions: 1, crash_free_sessions: 1, users: 1 },
  ]);
});
