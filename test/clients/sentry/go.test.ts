import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun, run } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { fetchWith, prepareOnce, sayMissing, type Prepared } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// Third-party programs start slowly on a busy machine, and the first run fetches and compiles them.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

// go.sum pins the modules, and the installed Go is used.
const env = { GOTOOLCHAIN: 'local', GOSUMDB: 'off', GOFLAGS: '' };
let world: SdkWorld;
let prepared: Prepared;
beforeAll(async () => {
  world = await startSdkWorld();
  prepared = await prepareOnce('sentry', 'go', async (stage) => {
    await fetchWith('go', ['mod', 'download'], { cwd: stage, env });
    await mustRun('nice', ['go', 'build', '-o', 'bin/', './...'], { cwd: stage, env });
  });
});
afterAll(() => world.service.end());

async function sendsAnError(program: string, version: string): Promise<void> {
  const project = await world.project(`lab/sentry-go-${version.replaceAll('.', '-')}`);
  await mustRun(program, [], { env: { SENTRY_DSN: project.dsn } });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: `sentry.go ${version}`,
      platform: 'go',
      exceptions: [
        { type: '*main.deviceError', value: 'port 7 does not answer', functions: [] },
        { type: '*main.readError', value: 'measurement QX-7 was not read', functions: ['readMeasurement'] },
      ],
    }),
  );
}

test('sentry-go 0.20.0: an error with its cause and a message', async () => {
  if ('missing' in prepared) return sayMissing('sentry-go', prepared.missing);
  await sendsAnError(path.join(prepared.home, 'bin/sentry-go'), '0.20.0');
});

test('sentry-go 0.50.0: the same program', async () => {
  const go = await run('go', ['env', 'GOVERSION']).catch(() => null);
  const minor = Number(/^go1\.(\d+)/.exec(go?.stdout ?? '')?.[1] ?? 0);
  if (minor < 25) return sayMissing('sentry-go 0.50.0', 'it needs Go 1.25');
  const newest = await prepareOnce('sentry', 'go-newest', async (stage) => {
    await copyFile(path.join(import.meta.dirname, 'go/sentry-go/main.go'), path.join(stage, 'main.go'));
    await fetchWith('go', ['mod', 'download'], { cwd: stage, env });
    await mustRun('nice', ['go', 'build', '-o', 'sentry-go', '.'], { cwd: stage, env });
  });
  if ('missing' in newest) return sayMissing('sentry-go 0.50.0', newest.missing);
  await sendsAnError(path.join(newest.home, 'sentry-go'), '0.50.0');
});

test('raven-go 0.2.0, with the deprecated form of the DSN: an error by its root cause and a message', async () => {
  if ('missing' in prepared) return sayMissing('raven-go', prepared.missing);
  const project = await world.project('lab/raven-go');
  await mustRun(path.join(prepared.home, 'bin/raven-go'), [], { env: { SENTRY_DSN: project.deprecatedDsn } });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: null,
      platform: 'go',
      exceptions: [
        { type: '*errors.fundamental', value: 'port 7 does not answer', functions: ['readMeasurement', 'openDevice'] },
      ],
      error: { message: 'measurement QX-7 was not read: port 7 does not answer' },
      // raven-go sends none.
      both: { breadcrumbs: [] },
    }),
  );
});
