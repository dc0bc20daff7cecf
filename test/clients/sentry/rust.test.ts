import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mustRun, run } from '../../service/run-program.ts';
import { expectedOf } from './expected.ts';
import { fetchWith, prepareOnce, sayMissing, whyNotUsable } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// The first run compiles for most of a minute, longer on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

let world: SdkWorld;
beforeAll(async () => {
  world = await startSdkWorld();
});
afterAll(() => world.service.end());

/** cargo determines its registry; versions.lock pins versions and checksums. */
async function pinVersions(stage: string): Promise<void> {
  const lock = path.join(stage, 'Cargo.lock');
  await fetchWith('cargo', ['generate-lockfile', '--quiet'], { cwd: stage });
  const [source] = /^source = .*$/m.exec(await readFile(lock, 'utf8')) ?? [''];
  await writeFile(
    lock,
    (await readFile(path.join(stage, 'versions.lock'), 'utf8')).replaceAll('source = "registry"', source),
  );
  await fetchWith('cargo', ['fetch', '--locked', '--quiet'], { cwd: stage });
}

test.each([
  { version: '0.31.0', recipe: 'rust', minor: 70 },
  { version: '0.49.5', recipe: 'rust-newest', minor: 89 },
])('sentry $version for Rust: a session, an error with its cause and a message', async ({ version, recipe, minor }) => {
  const unusable = await whyNotUsable({ cargo: '--version' });
  if (unusable !== undefined) return sayMissing(`sentry ${version} for Rust`, unusable);
  const { stdout } = await run('cargo', ['--version']);
  if (Number(/^cargo 1\.(\d+)/.exec(stdout)?.[1] ?? 0) < minor)
    return sayMissing(`sentry ${version} for Rust`, `it needs Rust 1.${minor}`);
  const prepared = await prepareOnce('sentry', recipe, async (stage) => {
    await cp(path.join(import.meta.dirname, 'rust/src'), path.join(stage, 'src'), { recursive: true });
    await pinVersions(stage);
    await mustRun('nice', ['cargo', 'build', '--locked', '--offline', '--quiet'], {
      cwd: stage,
      env: { CARGO_TARGET_DIR: 'target' },
    });
    await copyFile(path.join(stage, 'target/debug/client'), path.join(stage, 'client'));
    await rm(path.join(stage, 'target'), { recursive: true });
  });
  if ('missing' in prepared) return sayMissing(`sentry ${version} for Rust`, prepared.missing);
  const project = await world.project(`lab/rust-${version.replaceAll('.', '-')}`);
  await mustRun(path.join(prepared.home, 'client'), [], { env: { SENTRY_DSN: project.dsn } });
  expect(await project.shown()).toEqual(
    expectedOf({
      sdk: `sentry.rust ${version}`,
      platform: 'native',
      exceptions: [
        { type: 'DeviceLost', value: 'port 7 does not answer', functions: [] },
        { type: 'ReadFailed', value: 'measurement QX-7 was not read', functions: [] },
      ],
      error: { threads: ['read_measurement'] },
      // The SDK omits the default level.
      both: { breadcrumbs: [{ category: 'bench', message: 'shutter opened', level: null, data: { position: 3 } }] },
    }),
  );
  expect(await project.releases()).toMatchObject([
    { release: 'bench@1.4.0', environment: 'lab-3', sessions: 1, crash_free_sessions: 1, users: 1 },
  ]);
});
