import { execFile } from 'node:child_process';
import { mkdir, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../../as-window.ts';
import { startTestService, type TestService } from '../../start.ts';

const run = promisify(execFile);

export interface FolderService extends TestService {
  /** A folder for files of a test. */
  readonly files: string;
  /** The folder that a test registers, below `files`; it does not exist yet. */
  readonly run: string;
}

/** A service with its owner alice, and folders that are removed with it. */
export async function startWithFolder(): Promise<FolderService> {
  const service = await startTestService();
  await service.user('alice', true);
  const files = path.join(service.dir, 'files');
  await mkdir(files);
  return { ...service, files, run: path.join(files, 'run') };
}

/** Files old enough not to count as still being written. */
export async function makeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    await utimes(file, 1_700_000_000, 1_700_000_000);
  }
}

/** Waits until a job is in one of these states. */
export async function jobIn(service: TestService, id: number, ...states: readonly Job['state'][]): Promise<Job> {
  for (;;) {
    const { body } = await asWindow(service, 'GET', `/api/v4/jobs/${id}`);
    const job = body as Job;
    if (states.includes(job.state)) return job;
    if (job.ended_at !== null) throw new Error(`job ${id} is ${job.state}: ${job.message}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Registers a path through the window and waits for the end of the job. */
export async function register(service: TestService, body: Readonly<Record<string, unknown>>): Promise<Job> {
  const answer = await asWindow(service, 'POST', '/api/v4/local/registrations', body);
  if (answer.status !== 202)
    throw new Error(`registration was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return jobIn(service, (answer.body as Job).id, 'done', 'failed', 'cancelled', 'paused');
}

/** A sparse file: long to read, and no space on disk. */
export async function sparseFile(file: string, bytes: number): Promise<void> {
  await writeFile(file, '');
  await truncate(file, bytes);
  await utimes(file, 1_700_000_000, 1_700_000_000);
}

/**
 * Compares a measurement with its source folder by OpenSSL, which is eight times as fast as
 * sha256sum.
 */
export async function registered(service: TestService, id: string, folder: string): Promise<void> {
  expect(await service.services.measurements.byId(id)).toMatchObject({ state: 'available', problem_count: 0 });
  const rows = await service.services.files.from(id, 0, 10_000);
  const sums = await run('openssl', ['dgst', '-sha256', '-r', ...rows.map((row) => `./${row.path}`)], { cwd: folder });
  expect(sums.stdout).toBe(rows.map((row) => `${row.sha256.toString('hex')} *./${row.path}\n`).join(''));
  const { stdout } = await run('find', ['.', '-type', 'f', '-printf', '%P\\n'], { cwd: folder });
  expect(rows.map((row) => row.path).toSorted()).toEqual(stdout.trim().split('\n').toSorted());
  expect(rows.map((row) => row.idx)).toEqual(rows.map((_row, index) => index));
}
