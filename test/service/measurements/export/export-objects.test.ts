import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Job, Staged } from '../../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../../as-window.ts';
import { startStandIn, type StandIn } from '../../object-storage/stand-in.ts';
import { startTestService } from '../../start.ts';
import { useWorld } from '../../use-service.ts';
import { jobIn, makeFiles, register, type FolderService } from '../registration/support.ts';

const run = promisify(execFile);
const large = randomBytes(9 * 1024 * 1024 + 7);
const content = { 'a.txt': 'alpha', 'deep/er/ü 100%.csv': '1,2\n', 'empty.dat': '', 'big.bin': large };

interface World extends FolderService {
  readonly standIn: StandIn;
}

/** A service of a window whose measurement "run" lies in an object storage. */
async function start(): Promise<World> {
  const standIn = await startStandIn();
  const service = await startTestService({ objectStorage: standIn.settings });
  await service.user('alice', true);
  const files = path.join(service.dir, 'files');
  const world = { ...service, standIn, files, run: path.join(files, 'run') };
  await makeFiles(world.run, content);
  await register(world, { path: world.run, copy: true });
  return {
    ...world,
    end: async () => {
      await service.end();
      await standIn.close();
    },
  };
}

describe('a measurement in the object storage', () => {
  const world = useWorld(start);
  let target = '';
  let count = 0;
  beforeEach(async () => {
    world.standIn.fault = () => null;
    target = path.join(world.files, `target-${(count += 1)}`);
    await mkdir(target);
  });

  function archiveOf(): Buffer {
    const [, archive] = [...world.standIn.objects].find(([key]) => key.endsWith('.zip')) ?? [];
    if (!archive) throw new Error('there is no archive');
    return archive;
  }

  async function exported(format: string): Promise<Job> {
    const { status, body } = await asWindow(world, 'POST', '/api/v4/local/measurements/run/exports', {
      directory: target,
      format,
    });
    expect(status).toBe(202);
    return jobIn(world, (body as Job).id, 'done', 'failed');
  }

  async function staged(index?: number): Promise<Job> {
    const { status, body } = await asWindow(
      world,
      'POST',
      '/api/v4/local/measurements/run/stage',
      index === undefined ? {} : { index },
    );
    expect(status).toBe(200);
    return jobIn(world, (body as Staged).job?.id ?? 0, 'done', 'failed');
  }

  test.each([
    ['folder', ''],
    ['bagit', 'data'],
    ['ro-crate', 'data'],
  ])('is exported as %s, as it was registered', async (format, payload) => {
    expect((await world.services.measurements.byId('run'))?.object_key).not.toBe(null);
    expect(await exported(format)).toMatchObject({
      state: 'done',
      result: path.join(target, 'run'),
      files_done: 4,
      bytes_done: large.length + 9,
    });
    await run('diff', ['--recursive', '--brief', world.run, path.join(target, 'run', payload)]);
    expect((await stat(path.join(target, 'run', payload, 'a.txt'))).mtimeMs).toBe(1_700_000_000_000);
  });

  test('is exported as a ZIP with the bytes of the bucket', async () => {
    expect(await exported('zip')).toMatchObject({ state: 'done', result: path.join(target, 'run.zip'), files_done: 4 });
    expect((await readFile(path.join(target, 'run.zip'))).equals(archiveOf())).toBe(true);
  });

  test('is dragged out whole, and one file of it', async () => {
    const whole = await staged();
    expect(whole.state).toBe('done');
    await run('diff', ['--recursive', '--brief', world.run, whole.result ?? '']);
    const index = Object.keys(content).toSorted().indexOf('big.bin');
    const one = await staged(index);
    expect(one).toMatchObject({ state: 'done', files_done: 1, bytes_done: large.length });
    expect((await readFile(one.result ?? '')).equals(large)).toBe(true);
  });

  test.each(['folder', 'zip'])(
    'of which a bit has flipped is not exported as %s, and nothing is left',
    async (format) => {
      const archive = archiveOf();
      const at = archive.indexOf(large.subarray(0, 64)) + 5_000_000;
      archive[at] = (archive[at] ?? 0) ^ 1;
      try {
        const job = await exported(format);
        expect(job.state).toBe('failed');
        expect(job.message).toContain('big.bin: ');
        expect(await readdir(target)).toEqual([]);
      } finally {
        archive[at] = (archive[at] ?? 0) ^ 1;
      }
    },
  );

  test.each(['folder', 'zip', 'bagit'])('that is away is not exported as %s, and the job says so', async (format) => {
    world.standIn.fault = (method) => (method === 'GET' ? 503 : null);
    expect(await exported(format)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('cannot answer now (503, SlowDown)'),
    });
    expect(await readdir(target)).toEqual([]);
    expect(await world.services.measurements.byId('run')).toMatchObject({ state: 'available', problem_count: 0 });
  });

  test('whose storage stops answering in the midst of a file leaves nothing', async () => {
    let reads = 0;
    world.standIn.fault = (method) => (method === 'GET' && (reads += 1) > 2 ? 503 : null);
    expect(await exported('folder')).toMatchObject({ state: 'failed' });
    expect(await readdir(target)).toEqual([]);
  });
});
