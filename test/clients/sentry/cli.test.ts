import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ErrorEventPage, ErrorPage } from '../../../src-main/service/contract/errors.ts';
import type { UploadedSourceMap } from '../../../src-main/service/contract/source-maps.ts';
import { announceCommands } from '../../../src-renderer/features/errors/announce-commands.ts';
import { mustRun, run } from '../../service/run-program.ts';
import { fetchWith, prepareOnce, sayMissing, type Prepared } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// The first run fetches the program.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let world: SdkWorld;
let prepared: Prepared;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  world = await startSdkWorld();
  prepared = await prepareOnce('sentry', 'cli', (stage) =>
    fetchWith('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'], {
      cwd: stage,
    }),
  );
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-cli-'));
  const { service } = world;
  env = {
    SENTRY_URL: `http://127.0.0.1:${service.port}`,
    SENTRY_AUTH_TOKEN: await service.token(service.userIds.steward, ['api']),
    SENTRY_ORG: 'lab',
    SENTRY_LOG_LEVEL: 'error',
    HOME: folder,
  };
});
afterAll(async () => {
  await world.service.end();
  await rm(folder, { recursive: true, force: true });
});

const program = (): string | null =>
  'missing' in prepared ? null : path.join(prepared.home, 'node_modules/@sentry/cli/bin/sentry-cli');
const sentryCli = async (...args: string[]): Promise<string> =>
  mustRun(process.execPath, [program() ?? '', ...args], { env });

/** Builds a one-line program from a source with the failing call on the given line. */
async function build(name: string, source: string): Promise<string> {
  const dist = path.join(folder, name);
  await mkdir(dist, { recursive: true });
  const map = {
    version: 3,
    file: 'app.js',
    sources: ['../src/app.ts'],
    sourcesContent: [source],
    names: [],
    mappings: 'AACA',
  };
  await writeFile(path.join(dist, 'app.js'), 'throw new Error("x");\n//# sourceMappingURL=app.js.map\n');
  await writeFile(path.join(dist, 'app.js.map'), JSON.stringify(map));
  return dist;
}

async function debugIdOf(dist: string): Promise<string> {
  return /debugId=([0-9a-f-]{36})/.exec(await readFile(path.join(dist, 'app.js'), 'utf8'))?.[1] ?? '';
}

/** The source line that is shown for a frame in the generated file. */
async function shownLine(
  project: { readonly id: number; readonly publicKey: string },
  sent: object,
  type: string,
  line = 1,
): Promise<string | null | undefined> {
  const { service } = world;
  const frames = [
    {
      filename: 'https://lab.example/app.js',
      abs_path: 'https://lab.example/app.js',
      lineno: line,
      colno: 7,
      in_app: true,
    },
  ];
  const event = {
    platform: 'javascript',
    exception: { values: [{ type, value: 'x', stacktrace: { frames } }] },
    ...sent,
  };
  const url = `http://127.0.0.1:${service.port}/api/v4/error_tracking/collector/api/${project.id}/store/?sentry_key=${project.publicKey}`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  expect(answer.status).toBe(200);
  const list = (await service.as.steward('GET', `/api/v4/projects/${project.id}/errors?query=${type}`))
    .body as ErrorPage;
  const page = (
    await service.as.steward('GET', `/api/v4/projects/${project.id}/errors/${list.errors[0]?.id}/events/latest`)
  ).body as ErrorEventPage;
  return page.event.exceptions[0]?.frames[0]?.context_line;
}

test("A2: sentry-cli 3.8.0 shows the token's user, and lists organisations and projects", async () => {
  if (program() === null) return sayMissing('sentry-cli', 'missing' in prepared ? prepared.missing : '');
  await world.project('lab/listed');
  expect(await sentryCli('info', '--no-defaults')).toMatch(/User:/);
  expect(await sentryCli('organizations', 'list')).toContain('lab');
  expect(await sentryCli('projects', 'list')).toContain('listed');
});

test('A2: sentry-cli 3.8.0 uploads source maps by debug id, and each build keeps its own', async () => {
  if (program() === null) return sayMissing('sentry-cli', 'missing' in prepared ? prepared.missing : '');
  const project = await world.project('lab/app');
  const builds = [
    await build('one', 'first\nthe first failing line\n'),
    await build('two', 'second\nthe second failing line\n'),
  ];
  for (const dist of builds) {
    await sentryCli('sourcemaps', 'inject', dist);
    expect(await sentryCli('sourcemaps', 'upload', '--project', 'app', dist)).toContain('Uploaded files to Sentry');
  }
  // The injection adds two lines before the program.
  const ids = await Promise.all(builds.map(debugIdOf));
  const image = (id: string | undefined) => ({
    debug_meta: { images: [{ type: 'sourcemap', code_file: 'https://lab.example/app.js', debug_id: id }] },
  });
  expect(await shownLine(project, image(ids[0]), 'FirstBuild', 3)).toBe('the first failing line');
  expect(await shownLine(project, image(ids[1]), 'SecondBuild', 3)).toBe('the second failing line');
  // A second upload replaces the files.
  await sentryCli('sourcemaps', 'upload', '--project', 'app', builds[0] ?? '');
  const maps = (await world.service.as.steward('GET', `/api/v4/projects/${project.id}/error_tracking/source_maps`))
    .body as UploadedSourceMap[];
  expect(maps.map(({ name }) => name)).toEqual(['~/app.js', '~/app.js']);
});

test('A2: sentry-cli 3.8.0 uploads source maps of a release, also in several chunks', async () => {
  if (program() === null) return sayMissing('sentry-cli', 'missing' in prepared ? prepared.missing : '');
  const project = await world.project('lab/bench/viewer');
  // Random text does not compress, so the bundle exceeds one request.
  const dist = await build('large', 'first\nthe failing line of a large program\n');
  for (let index = 0; index < 8; index += 1) {
    const part = path.join(dist, `part${index}`);
    await cp(path.join(dist, 'app.js'), path.join(part, 'app.js'));
    const map = {
      version: 3,
      file: 'app.js',
      sources: ['a.ts'],
      sourcesContent: [randomBytes(900_000).toString('base64')],
      names: [],
      mappings: 'AAAA',
    };
    await writeFile(path.join(part, 'app.js.map'), JSON.stringify(map));
  }
  await mustRun(
    process.execPath,
    [
      program() ?? '',
      'sourcemaps',
      'upload',
      '--org',
      'lab~bench',
      '--project',
      'viewer',
      '--release',
      'viewer@2.0',
      '--wait',
      dist,
    ],
    {
      env,
    },
  );
  expect(await shownLine(project, { release: 'viewer@2.0' }, 'OfRelease')).toBe('the failing line of a large program');
  expect(await shownLine(project, { release: 'viewer@1.9' }, 'OfOther')).not.toBe(
    'the failing line of a large program',
  );
  const maps = (await world.service.as.steward('GET', `/api/v4/projects/${project.id}/error_tracking/source_maps`))
    .body as UploadedSourceMap[];
  expect(maps.map(({ name }) => name).toSorted()).toEqual([
    '~/app.js',
    ...Array.from({ length: 8 }, (_none, index) => `~/part${index}/app.js`),
  ]);
});

test('A2: sentry-cli 3.8.0 creates, lists, deploys, archives and deletes releases', async () => {
  if (program() === null) return sayMissing('sentry-cli', 'missing' in prepared ? prepared.missing : '');
  await world.project('lab/released');
  const releases = async (...args: string[]) => sentryCli('releases', '--project', 'released', ...args);
  expect(await releases('new', 'released@1.0')).toContain('Created release released@1.0');
  expect(await releases('finalize', 'released@1.0')).toContain('Finalized release');
  expect(await releases('list')).toContain('released@1.0');
  expect(await releases('info', 'released@1.0')).toContain('released@1.0');
  expect(
    await sentryCli('deploys', '--project', 'released', 'new', '--release', 'released@1.0', '--env', 'production'),
  ).toContain('production');
  expect(await sentryCli('deploys', '--project', 'released', 'list', '--release', 'released@1.0')).toContain(
    'production',
  );
  expect(await releases('archive', 'released@1.0')).toContain('Archived');
  expect(await releases('restore', 'released@1.0')).toContain('Restored');
  expect(await releases('delete', 'released@1.0')).toContain('Deleted');
  expect(await releases('list')).not.toContain('released@1.0');
});

test('the commands on the screen of releases announce one when pasted', async () => {
  if (program() === null) return sayMissing('sentry-cli', 'missing' in prepared ? prepared.missing : '');
  const { id } = await world.project('lab/bench/announced');
  const bin = path.join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, 'sentry-cli'), `#!/bin/sh\nexec '${process.execPath}' '${program()}' "$@"\n`, {
    mode: 0o755,
  });
  const { SENTRY_URL: url = '', SENTRY_AUTH_TOKEN: token = '' } = env;
  await mustRun('bash', ['-e', '-c', announceCommands('lab/bench/announced', url)], {
    env: { HOME: folder, PATH: `${bin}:/usr/bin:/bin`, SENTRY_AUTH_TOKEN: token },
  });
  const { body } = await world.service.as.steward('GET', `/api/v4/projects/${id}/error_tracking/releases`);
  expect(body).toMatchObject([
    { version: 'announced@1.0.0', released_at: expect.any(String) as string, deploys: [{ environment: 'production' }] },
  ]);
});

test('A2: sentry-cli reports a wrong token and a missing project', async () => {
  if (program() === null) return sayMissing('sentry-cli', 'missing' in prepared ? prepared.missing : '');
  const dist = await build('refused', 'x');
  await sentryCli('sourcemaps', 'inject', dist);
  const upload = async (project: string, token?: string) =>
    run(process.execPath, [program() ?? '', 'sourcemaps', 'upload', '--project', project, dist], {
      env: { ...env, ...(token === undefined ? {} : { SENTRY_AUTH_TOKEN: token }) },
    });
  expect((await upload('app', 'wrong')).stderr).toMatch(/401/);
  expect((await upload('no-such-project')).stderr).toContain('correct release, project, and organization');
});
