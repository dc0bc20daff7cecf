import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { fetchWith, prepareOnce, sayMissing, type Prepared } from './prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// Programs of others start slowly on a busy machine, and the first run fetches and compiles them.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

// go.sum says what the modules have to be, and the Go that is here is used.
const env = { GOTOOLCHAIN: 'local', GOSUMDB: 'off', GOFLAGS: '' };
let world: SdkWorld;
let prepared: Prepared;
beforeAll(async () => {
  world = await startSdkWorld();
  prepared = await prepareOnce('go', async (stage) => {
    await fetchWith('go', ['mod', 'download'], { cwd: stage, env });
    await mustRun('nice', ['go', 'build', '-o', 'bin/', './...'], { cwd: stage, env });
  });
});
afterAll(() => world.service.end());

test('sentry-go 0.20.0: an error with its cause and a message', async () => {
  if ('missing' in prepared) return sayMissing('sentry-go', prepared.missing);
  const project = await world.project('lab/sentry-go');
  await mustRun(path.join(prepared.home, 'bin/sentry-go'), [], { env: { SENTRY_DSN: project.dsn } });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: 'sentry.go 0.20.0',
      platform: 'go',
      exceptions: [
        { type: '*main.deviceError', value: 'port 7 does not answer', functions: [] },
        { type: '*main.readError', value: 'measurement QX-7 was not read', functions: ['readMeasurement'] },
      ],
    }),
  );
});

test('raven-go 0.2.0, with the deprecated form of the DSN: an error by its root cause and a message', async () => {
  if ('missing' in prepared) return sayMissing('raven-go', prepared.missing);
  const project = await world.project('lab/raven-go');
  await mustRun(path.join(prepared.home, 'bin/raven-go'), [], { env: { SENTRY_DSN: project.deprecatedDsn } });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: null,
      platform: 'go',
      exceptions: [{ type: '*errors.fundamental', value: 'port 7 does not answer', functions: ['readMeasurement', 'openDevice'] }],
      error: { message: 'measurement QX-7 was not read: port 7 does not answer' },
      // It has none.
      both: { breadcrumbs: [] },
    }),
  );
});
