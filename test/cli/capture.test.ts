import Database from 'better-sqlite3';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CaptureRule } from '../../src-main/service/contract/capture/rules.ts';
import type { CaptureRunPage, CaptureTrial } from '../../src-main/service/contract/capture/runs.ts';
import { sparseFile } from '../service/measurements/registration/support.ts';
import { until } from '../service/until.ts';
import { onCaptureScene, writeRun, type CaptureScene } from './capture-scene.ts';
import { type CommandLine, type ServeProcess } from './command-line.ts';

// Each test waits for looks of the service.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Takes some seconds to read. */
const longBytes = 12 * 1024 ** 3;

let cli: CommandLine;
let scene: CaptureScene;
onCaptureScene((started) => {
  ({ cli, scene } = started);
});

const runOf = async (rule: string, run: string) =>
  (await scene.json<CaptureRunPage>('runs', rule)).items.find(({ name }) => name === run);

describe('without a running service', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await scene.watched('tried', 'run-1/a.raw', 'run-1/done.txt', 'run-2/a.raw');
    await scene.capture('add', 'tried', '--folder', folder, '--complete', 'marker:done.txt');
  });

  test('try shows what a rule would register, and why not', async () => {
    const { stdout, stderr } = await scene.capture('try', 'tried');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^RUN +ID +FILES +SIZE +COMPLETE$/m);
    expect(stdout).toMatch(/^run-1 +run-1 +2 +\d+ B +yes$/m);
    expect(stdout).toMatch(/^run-2 +run-2 +1 +\d+ B +done\.txt is not there yet\.$/m);
    const trial = await scene.json<CaptureTrial>('try', 'tried');
    expect(trial).toMatchObject({ total: 2, message: null });
    expect(trial.runs.find(({ name }) => name === 'run-2')).toMatchObject({ is_complete: false, reason: 'no-sign' });
    await scene.capture('add', 'nothing', '--folder', await scene.watched('nothing'));
    expect(await scene.capture('try', 'nothing')).toEqual({
      status: 0,
      stdout: '',
      stderr: 'There are no such runs in the folder now.\n',
    });
  });

  test('list, pause, resume and remove', async () => {
    expect((await scene.capture('list')).stdout).toMatch(/^tried +starting +\S+tried +done\.txt +0 +0 +0$/m);
    expect((await scene.capture('pause', 'Tried')).stdout).toBe('tried is paused: its folder is not looked at.\n');
    expect((await scene.json<CaptureRule>('pause', 'tried')).state).toBe('paused');
    expect((await scene.capture('list')).stdout).toMatch(/^tried +paused /m);
    expect((await scene.capture('resume', 'tried')).stdout).toContain('the running service watches its folder');
    expect((await scene.json<CaptureRule>('resume', 'tried')).state).toBe('starting');
    expect((await scene.capture('remove', 'nothing')).stdout).toMatch(
      /^Removed nothing; its measurements and the files in \S+ stay\.\n$/,
    );
    expect(await scene.json('remove', 'tried')).toEqual({ id: expect.any(Number), name: 'tried', removed: true });
    for (const command of ['try', 'pause', 'resume', 'remove', 'runs'])
      expect(await scene.capture(command, 'tried')).toEqual({
        status: 1,
        stdout: '',
        stderr: 'benchport: There is no rule tried. "benchport capture list" shows them all.\n',
      });
  });
});

describe('with a running service', () => {
  let service: ServeProcess;
  let folder: string;
  const reaches = async (run: string, state: string | RegExp) =>
    expect.poll(async () => (await runOf('bench', run))?.state, { timeout: 40_000, interval: 200 }).toMatch(state);
  const measurements = async () =>
    (JSON.parse(await cli.ok(['measurement', 'list', '--json'])) as readonly { readonly id: string }[]).map(
      ({ id }) => id,
    );

  beforeAll(async () => {
    service = await cli.serve();
    folder = await scene.watched('bench', 'before/a.raw', 'before/done.txt');
    const args = ['--complete', 'marker:done.txt', '--owner', 'bob', '--reader', 'alice'];
    await cli.ok(['capture', 'add', 'bench', '--folder', folder, ...args]);
    // Runs that are there before the first look are left out.
    await until(
      async () =>
        (await scene.json<readonly CaptureRule[]>('list')).some(
          (one) => one.name === 'bench' && one.state === 'watching',
        ),
      'the folder is watched',
    );
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
  });

  test('a run is registered when its marker is there', async () => {
    await writeRun(path.join(folder, 'run-1/a.raw'));
    await writeRun(path.join(folder, 'run-1/done.txt'));
    await reaches('run-1', 'registered');
    expect(await cli.ok(['capture', 'runs', 'bench', '--filter', 'done'])).toMatch(
      /^RUN +STATE +ID OR REASON +FILES +SIZE\nrun-1 +registered +run-1 +2 +\d+ B$/,
    );
    expect(await measurements()).toContain('run-1');
    expect((await scene.capture('runs')).stdout).toMatch(/^bench +before +skipped +there-before +/m);
    expect((await scene.capture('try', 'bench')).stdout).toMatch(/^run-1 .*it is registered$/m);
    const page = await scene.json<CaptureRunPage>('runs', 'bench', '--filter', 'skipped');
    expect(page).toMatchObject({
      items: [{ name: 'before', rule_name: 'bench', state: 'skipped', reason: 'there-before', measurement_id: null }],
      total: 1,
      counts: { all: 2, needs_you: 0, done: 1, skipped: 1 },
    });
  });

  test('decisions about one run', async () => {
    expect((await scene.capture('retry', 'bench', 'before/', '--id', 'first')).stdout).toBe(
      'before is looked at again, and registered when it is complete.\n',
    );
    await reaches('before', 'registered');
    expect(await runOf('bench', 'before')).toMatchObject({ measurement_id: 'first' });
    await writeRun(path.join(folder, 'run-2/a.raw'));
    // A look may come between the folder and its file.
    await reaches('run-2', /seen|growing/);
    expect((await scene.capture('skip', 'bench', 'run-2')).stdout).toBe('run-2 is skipped.\n');
    expect(await scene.json('register', 'bench', 'run-2', '--id', 'forced')).toMatchObject({ rule_name: 'bench' });
    await reaches('run-2', 'registered');
    expect(await measurements()).toEqual(expect.arrayContaining(['first', 'forced']));
    await writeRun(path.join(folder, 'run-2/late.raw'));
    await reaches('run-2', 'changed-after');
    expect((await scene.json<CaptureRunPage>('runs', '--filter', 'needs-you')).total).toBe(1);
    expect(await scene.json('keep', 'bench', 'run-2')).toMatchObject({ state: 'registered', measurement_id: 'forced' });
  });

  test('what does not fit is refused', async () => {
    expect(await scene.capture('skip', 'bench', 'run-1')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'benchport: run-1 stays as it is, because "skip" is not for a run that is registered.\n',
    });
    expect(await scene.capture('keep', 'bench', 'nothing')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('bench knows no run nothing'),
    });
    expect(await scene.capture('retry', 'bench', 'run-1', '--id', 'first')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is already a measurement first'),
    });
    expect(await scene.capture('retry', 'bench', 'run-1', '--id', 'a/b')).toMatchObject({ status: 2 });
    expect(await scene.capture('keep', 'bench', 'run-1', '--id', 'x')).toMatchObject({ status: 2 });
    expect(await scene.capture('runs', 'bench', '--filter', 'gone')).toMatchObject({ status: 2 });
  });

  const jobsOf = async (id: string) => {
    const database = new Database(path.join(cli.dataDir, 'benchport.db'), { readonly: true });
    const reserved = '(SELECT count(*) FROM measurements WHERE id = measurement_id) AS reserved';
    const rows = database.prepare(`SELECT state, ${reserved} FROM jobs WHERE measurement_id = ?`).all(id);
    database.close();
    return rows;
  };
  const writeLong = async (run: string) => {
    await mkdir(path.join(folder, run));
    await sparseFile(path.join(folder, run, 'a.raw'), longBytes);
    await writeRun(path.join(folder, run, 'done.txt'));
  };

  test('a registration that runs or waits is cancelled by skipping its run', async () => {
    const runs = ['long-1', 'long-2'];
    for (const run of runs) await writeLong(run);
    for (const run of runs) await reaches(run, 'hashing');
    // They are registered one after the other.
    for (const run of runs.toReversed())
      expect(await scene.json('skip', 'bench', run)).toMatchObject({ state: 'skipped', reason: 'by-hand' });
    for (const run of runs) {
      await expect.poll(async () => jobsOf(run), { timeout: 20_000 }).toEqual([{ state: 'cancelled', reserved: 0 }]);
      expect((await runOf('bench', run))?.state).toBe('skipped');
    }
  });

  test('a folder that goes away is reported below the list', async () => {
    const away = await scene.watched('away');
    await scene.capture('add', 'away', '--folder', away);
    await expect
      .poll(async () => (await scene.capture('list')).stdout, { timeout: 20_000 })
      .toMatch(/^away +watching/m);
    await rm(away, { recursive: true });
    await expect
      .poll(async () => (await scene.capture('list')).stderr, { timeout: 20_000 })
      .toMatch(/^away: It cannot be/m);
    expect((await scene.capture('list')).stdout).toMatch(/^away +unreachable /m);
  });

  test('what a killed service left of a registration goes with the skipped run', async () => {
    await writeLong('long-3');
    await reaches('long-3', 'hashing');
    await expect.poll(async () => jobsOf('long-3')).toEqual([{ state: 'running', reserved: 1 }]);
    service.kill('SIGKILL');
    await service.ended;
    expect(await scene.json('skip', 'bench', 'long-3')).toMatchObject({ state: 'skipped' });
    expect(await jobsOf('long-3')).toEqual([{ state: 'cancelled', reserved: 0 }]);
  });
});
