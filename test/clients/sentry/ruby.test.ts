import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { sayMissing } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// Third-party programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

let world: SdkWorld;
beforeAll(async () => {
  world = await startSdkWorld();
});
afterAll(() => world.service.end());

test.each([
  { gem: 'sentry-ruby', debian: 'ruby-sentry-ruby-core', sdk: /^sentry\.ruby 5\./, form: 'dsn' },
  { gem: 'sentry-raven', debian: 'ruby-sentry-raven', sdk: /^raven-ruby 3\./, form: 'deprecatedDsn' },
] as const)('$gem of Debian: an error with its cause and a message', async ({ gem, debian, sdk, form }) => {
  if (!existsSync(`/var/lib/dpkg/info/${debian}.list`)) {
    // Skipped only where it cannot be installed; a package that is merely missing fails the test.
    sayMissing(gem, `this system has no ${debian}`);
    return expect(spawnSync('apt-cache', ['policy', debian], { encoding: 'utf8' }).stdout ?? '').not.toMatch(
      /Candidate: (?!\(none\))/,
    );
  }
  const project = await world.project(`lab/${gem}`);
  // Debian's Ruby regardless of PATH, because its packages are Debian's.
  await mustRun('/usr/bin/ruby', [path.join(import.meta.dirname, 'ruby', `${gem}.rb`)], {
    env: { SENTRY_DSN: project[form] },
  });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: expect.stringMatching(sdk) as string,
      platform: 'ruby',
      exceptions: [
        { type: 'IOError', value: 'port 7 does not answer', functions: ['read_measurement', 'open_device'] },
        // "read_measurement" and "rescue in read_measurement".
        {
          type: 'ArgumentError',
          value: 'measurement QX-7 was not read',
          functions: ['read_measurement', 'read_measurement'],
        },
      ],
    }),
  );
});
