import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { commandLine, type CommandLine } from '../../cli/command-line.ts';
import { mustRun, run } from '../../service/run-program.ts';
import { fetchWith, prepareOnce, sayMissing } from '../prepare.ts';

// The first run fetches the libraries that laboratories read with.
vi.setConfig({ testTimeout: 900_000 });

const root = path.resolve(import.meta.dirname, '../../..');
// Debian's Python regardless of PATH.
const python = '/usr/bin/python3';
const password = 'seven lamps over 9 benches';
const pip = ['-m', 'pip', '--disable-pip-version-check', 'install', '-q'];

test('the Python client reads and downloads from a service, and so do the examples for R', async () => {
  const prepared = await prepareOnce('python', 'peers', async (stage) => {
    // Only its pip is needed: the packages are put on the path of Debian's Python.
    await mustRun(python, ['-m', 'venv', path.join(stage, 'venv')]);
    const options = ['--retries', '1', '--require-hashes', '--no-deps', '--only-binary', ':all:'];
    const files = ['--target', path.join(stage, 'packages'), '-r', path.join(stage, 'requirements.txt')];
    await fetchWith(path.join(stage, 'venv/bin/python'), [...pip, ...options, ...files], { seconds: 400 });
    await rm(path.join(stage, 'venv'), { recursive: true });
  });
  if ('missing' in prepared) return sayMissing('the Python client', prepared.missing);
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-python-'));
  const cli = await commandLine();
  try {
    const installed = await installWheel(dir, path.join(prepared.home, 'packages'));
    const originals = path.join(dir, 'originals');
    const tests = path.join(root, 'clients/python/tests');
    await mustRun(installed.python, [path.join(tests, 'make_measurements.py'), originals], { env: installed.env });
    const env = { ...installed.env, ...(await serve(cli, originals)) };
    const ran = await run(installed.python, ['-m', 'pytest', '-q', '--tb=short', tests], { cwd: dir, env });
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    // Without a test pytest ends with another status; fewer than these have been left out.
    const [, passed = '0'] = /(\d+) passed/.exec(ran.stdout) ?? [];
    expect(Number(passed)).toBeGreaterThan(120);
    expect(ran.stdout).not.toMatch(/skipped|deselected|xfailed/);
  } finally {
    await cli.end();
    await rm(dir, { recursive: true, force: true });
  }
});

interface Installed {
  readonly python: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Builds the wheel from a copy of the sources and installs it into a fresh environment. */
async function installWheel(dir: string, packages: string): Promise<Installed> {
  const source = path.join(dir, 'source');
  await cp(path.join(root, 'clients/python'), source, { recursive: true });
  const environment = path.join(dir, 'venv');
  await mustRun(python, ['-m', 'venv', environment]);
  const own = path.join(environment, 'bin/python');
  const env = { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  const offline = ['--no-index', '--no-deps', '--no-build-isolation'];
  await mustRun(own, ['-m', 'pip', 'wheel', '-q', ...offline, '--wheel-dir', path.join(dir, 'wheels'), source], {
    env,
  });
  const wheel = path.join(dir, 'wheels/benchport-0.1.0-py3-none-any.whl');
  await mustRun(own, [...pip, '--no-index', '--no-deps', wheel]);
  return { python: own, env };
}

/** A service with what the tests read. @returns the variables that lead there. */
async function serve(cli: CommandLine, originals: string): Promise<Readonly<Record<string, string>>> {
  for (const user of [['alice', '--admin'], ['bob']])
    await cli.ok(['user', 'create', ...user, '--password-stdin'], password);
  for (const id of ['lab', 'changing'])
    await cli.ok([
      'measurement',
      'register',
      path.join(originals, id),
      '--id',
      id,
      '--title',
      `Measurement ${id}`,
      '--owner',
      'alice',
    ]);
  const token = async (user: string): Promise<string> =>
    cli.ok(['token', 'create', '--user', user, '--name', 'test', '--scopes', 'read_measurement']);
  return {
    BENCHPORT_TOKEN: await token('alice'),
    BENCHPORT_TEST_OTHER_TOKEN: await token('bob'),
    BENCHPORT_URL: (await cli.serve()).url,
    BENCHPORT_TEST_ORIGINALS: originals,
    BENCHPORT_TEST_SOURCE: path.join(root, 'clients/python'),
  };
}
