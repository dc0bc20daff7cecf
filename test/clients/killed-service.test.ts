import { hash, randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine, type CommandLine } from '../cli/command-line.ts';
import { mustRun, run } from '../service/run-program.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
});
afterAll(() => cli.end());

interface Row {
  readonly ended_at: string | null;
  readonly outcome: string | null;
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

test('after a kill curl, wget and aria2 continue without loss, and the audit trail records the end of their downloads', async () => {
  const source = path.join(cli.dir, 'run');
  await mkdir(source);
  await writeFile(path.join(source, 'long.bin'), randomBytes(24 * 1024 * 1024));
  for (let i = 0; i < 20; i += 1) await writeFile(path.join(source, `part-${i}.txt`), `part ${i}\n`);
  await cli.ok(['user', 'create', 'alice', '--admin']);
  await cli.ok(['measurement', 'register', source, '--id', 'm']);
  const authorization = `Authorization: Bearer ${await cli.ok(['token', 'create', '--user', 'alice', '--name', 'x', '--scopes', 'read_api'])}`;
  const service = await cli.serve();
  const url = `${service.url}/measurements/m`;
  const rows = async (): Promise<readonly Row[]> =>
    JSON.parse(
      await mustRun('curl', [
        '-sSf',
        '-H',
        authorization,
        `${url.replace('/measurements', '/api/v4/measurements')}/transfers?per_page=100`,
      ]),
    ) as Row[];

  const clients: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['curl', ['-sS', '-H', authorization, '-o', 'curl.zip', url], ['--limit-rate', '2M']],
    ['wget', ['-q', '--tries=1', '--header', authorization, '-O', 'wget.zip', url], ['--limit-rate=2m']],
    [
      'aria2c',
      [
        '-q',
        '-c',
        '-x4',
        '-s4',
        '-k1M',
        '--auto-save-interval=1',
        '--file-allocation=none',
        '--max-tries=1',
        '--header',
        authorization,
        '-o',
        'aria2c.zip',
        url,
      ],
      ['--max-download-limit=2M'],
    ],
  ];
  const first = clients.map(([program, args, slowly]) => run(program, [...slowly, ...args], { cwd: cli.dir }));
  // Some connections, each with its row and some bytes on the disk.
  await expect
    .poll(async () => (await rows()).filter((row) => row.ended_at === null).length, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(3);
  for (const name of ['curl.zip', 'wget.zip', 'aria2c.zip.aria2']) {
    await expect.poll(() => sizeOf(path.join(cli.dir, name)), { timeout: 30_000 }).toBeGreaterThan(0);
  }
  service.kill('SIGKILL');
  await service.ended;
  for (const { status } of await Promise.all(first)) expect(status).not.toBe(0);

  await cli.serve(['--port', new URL(service.url).port]);
  await mustRun('curl', ['-sSf', '-H', authorization, '-o', 'whole.zip', url], { cwd: cli.dir });
  await mustRun('unzip', ['-tq', 'whole.zip'], { cwd: cli.dir });
  const wanted = hash('sha256', await readFile(path.join(cli.dir, 'whole.zip')));
  for (const [program, args] of clients) {
    expect(await sizeOf(path.join(cli.dir, `${program}.zip`))).toBeGreaterThan(0);
    await mustRun(program, [...(program === 'curl' ? ['-C', '-'] : program === 'wget' ? ['-c'] : []), ...args], {
      cwd: cli.dir,
    });
    expect([program, hash('sha256', await readFile(path.join(cli.dir, `${program}.zip`)))]).toEqual([program, wanted]);
  }
  await expect.poll(async () => (await rows()).every((row) => row.ended_at !== null), { timeout: 20_000 }).toBe(true);
  expect((await rows()).filter((row) => row.outcome === 'killed').length).toBeGreaterThanOrEqual(3);
});
