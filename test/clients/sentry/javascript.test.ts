import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { fetchWith, prepareOnce, sayMissing, type Prepared } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// Third-party programs start slowly on a busy machine, and the first run fetches them.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let world: SdkWorld;
let prepared: Prepared;
beforeAll(async () => {
  world = await startSdkWorld();
  prepared = await prepareOnce('sentry', 'node', (stage) =>
    fetchWith('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'], {
      cwd: stage,
    }),
  );
});
afterAll(() => world.service.end());

test.each([
  { module: 'sentry-node-7', version: '7.38.0', note: {} },
  // The SDK reports the origin of a message as an exception without a type.
  {
    module: 'sentry-node-11',
    version: '11.12.0',
    note: { exceptions: [{ type: null, value: 'calibration is 3 days old', functions: [] }] },
  },
])(
  '@sentry/node $version: an error with its cause, a message and the session of the process',
  async ({ module, version, note }) => {
    if ('missing' in prepared) return sayMissing(`@sentry/node ${version}`, prepared.missing);
    const project = await world.project(`lab/${module}`);
    await mustRun(process.execPath, [path.join(prepared.home, 'client.mjs'), module], {
      env: { SENTRY_DSN: project.dsn },
    });
    expect(await project.shown()).toEqual(
      expectedOf({
        sdk: `sentry.javascript.node ${version}`,
        platform: 'node',
        exceptions: [
          { type: 'RangeError', value: 'port 7 does not answer', functions: ['readMeasurement', 'openDevice'] },
          { type: 'TypeError', value: 'measurement QX-7 was not read', functions: ['readMeasurement'] },
        ],
        note,
      }),
    );
    expect(await project.releases()).toMatchObject([
      { release: 'bench@1.4.0', environment: 'lab-3', sessions: 1, crash_free_sessions: 1 },
    ]);
  },
);
