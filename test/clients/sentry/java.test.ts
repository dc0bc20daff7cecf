import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { fetchWith, prepareOnce, sayMissing, whyNotUsable } from './prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// Programs of others start slowly on a busy machine, and the first run fetches them.
vi.setConfig({ testTimeout: 240_000 });

let world: SdkWorld;
beforeAll(async () => {
  world = await startSdkWorld();
});
afterAll(() => world.service.end());

const artifact = 'io.sentry:sentry:6.18.1';
const digest = '7841cc56ef96e159b73d8614cefe98cbfea9b1cbaafb84669a3444b4cdd6990e';

test(`${artifact} for Java: a session, an error with its cause and a message`, async () => {
  const unusable = await whyNotUsable({ java: '-version', javac: '-version', mvn: '--version' });
  if (unusable !== undefined) return sayMissing(artifact, unusable);
  const prepared = await prepareOnce('java', async (stage) => {
    const copy = ['org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy', `-Dartifact=${artifact}`, '-Dmdep.stripVersion=true', '-DoutputDirectory=.'];
    await fetchWith('mvn', ['-q', '-B', ...copy], { cwd: stage });
    const jar = path.join(stage, 'sentry.jar');
    expect(hash('sha256', await readFile(jar))).toBe(digest);
    await mustRun('nice', ['javac', '-cp', jar, '-d', stage, path.join(stage, 'Client.java')]);
  });
  if ('missing' in prepared) return sayMissing(artifact, prepared.missing);
  const project = await world.project('lab/java');
  await mustRun('java', ['-cp', `${prepared.home}:${prepared.home}/sentry.jar`, 'Client'], { env: { SENTRY_DSN: project.dsn } });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: 'sentry.java 6.18.1',
      platform: 'java',
      exceptions: [
        { type: 'IllegalArgumentException', value: 'port 7 does not answer', functions: ['readMeasurement', 'openDevice'] },
        { type: 'IllegalStateException', value: 'measurement QX-7 was not read', functions: ['readMeasurement'] },
      ],
    }),
  );
  expect(await project.releases()).toMatchObject([{ release: 'bench@1.4.0', environment: 'lab-3', sessions: 1, crash_free_sessions: 1 }]);
});
