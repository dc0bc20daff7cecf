import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { fetchWith, prepareOnce, sayMissing, whyNotUsable } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// Third-party programs start slowly on a busy machine, and the first run fetches them.
vi.setConfig({ testTimeout: 240_000 });

let world: SdkWorld;
beforeAll(async () => {
  world = await startSdkWorld();
});
afterAll(() => world.service.end());

const versions = [
  ['6.18.1', '7841cc56ef96e159b73d8614cefe98cbfea9b1cbaafb84669a3444b4cdd6990e'],
  ['8.62.0', '5e7f398cf3115f10bce52fe0fa411e32ac6e84e0ac6d50673e5701739af3f319'],
] as const;
const jarOf = (folder: string, version: string): string => path.join(folder, `sentry-${version}.jar`);

async function prepare(stage: string): Promise<void> {
  for (const [version, digest] of versions) {
    const copy = [
      'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy',
      `-Dartifact=io.sentry:sentry:${version}`,
      '-DoutputDirectory=.',
    ];
    await fetchWith('mvn', ['-q', '-B', ...copy], { cwd: stage });
    expect(hash('sha256', await readFile(jarOf(stage, version)))).toBe(digest);
    await mustRun('nice', [
      'javac',
      '-cp',
      jarOf(stage, version),
      '-d',
      path.join(stage, version),
      path.join(stage, 'Client.java'),
    ]);
  }
}

test.each(versions)(
  'io.sentry:sentry:%s for Java: a session, an error with its cause and a message',
  async (version) => {
    const unusable = await whyNotUsable({ java: '-version', javac: '-version', mvn: '--version' });
    if (unusable !== undefined) return sayMissing(`io.sentry:sentry:${version}`, unusable);
    const prepared = await prepareOnce('sentry', 'java', prepare);
    if ('missing' in prepared) return sayMissing(`io.sentry:sentry:${version}`, prepared.missing);
    const project = await world.project(`lab/java-${version.replaceAll('.', '-')}`);
    const classes = `${path.join(prepared.home, version)}:${jarOf(prepared.home, version)}`;
    await mustRun('java', ['-cp', classes, 'Client'], { env: { SENTRY_DSN: project.dsn } });
    expect(await project.shown()).toEqual(
      expectedOf({
        sdk: `sentry.java ${version}`,
        platform: 'java',
        exceptions: [
          {
            type: 'IllegalArgumentException',
            value: 'port 7 does not answer',
            functions: ['readMeasurement', 'openDevice'],
          },
          { type: 'IllegalStateException', value: 'measurement QX-7 was not read', functions: ['readMeasurement'] },
        ],
      }),
    );
    expect(await project.releases()).toMatchObject([
      { release: 'bench@1.4.0', environment: 'lab-3', sessions: 1, crash_free_sessions: 1 },
    ]);
  },
);
