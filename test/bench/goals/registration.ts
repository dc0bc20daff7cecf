import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { FileSet } from '../fixture/files.ts';
import type { OurService } from '../servers/our-service.ts';
import { ratios, spreadOf } from '../statistics.ts';
import { spreadRow, type Findings, type Goal } from './goal.ts';

/**
 * Registering by reference: CRC-32 and SHA-256 of every file, rows, archive layout and manifest.
 */
export const registration: Goal = {
  name: 'registration',
  method:
    'A registration by reference through the window, from the time its job is made to its end (checksums, rows, archive layout, manifest on disk), against one `sha256sum` with the same files as arguments, its start included.',
  run: async (bench) => {
    const single = await measureRegistration(bench, bench.sizes.single, 'registration of one file of 1 GiB');
    const many = await measureRegistration(bench, bench.sizes.many, 'registration of 10,000 files of 10 KiB');
    return { rows: [...single.rows, ...many.rows], details: [...single.details, ...many.details] };
  },
};

interface Job {
  readonly id: number;
  readonly state: string;
  readonly message: string | null;
  readonly created_at: string;
  readonly ended_at: string | null;
}

async function measureRegistration(bench: Bench, set: FileSet, work: string): Promise<Findings> {
  const folder = path.join(bench.root, set.name);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    const id = `again-${set.name}-${round}`;
    const registered = await register(bench.service(), folder, id);
    const summed = sha256sum(folder);
    await bench.service().throughWindow('DELETE', `/api/v4/measurements/${id}`);
    if (round === 0) continue;
    ours.push(registered);
    theirs.push(summed);
  }
  // A rate: twice as fast is 2x.
  const row = spreadRow(work, '`sha256sum`', ratios(theirs, ours), { atLeast: 0.8, unit: 'x' });
  const detail = (variant: string, seconds: readonly number[]) => {
    const { median, min, max } = spreadOf(seconds);
    return {
      work,
      variant,
      figure: `${median.toFixed(2)} s`,
      spread: `${min.toFixed(2)} to ${max.toFixed(2)}`,
      cpu: '-',
      others: '-',
    };
  };
  return { rows: [row], details: [detail('benchport', ours), detail('sha256sum', theirs)] };
}

/** @returns seconds */
async function register(service: OurService, folder: string, id: string): Promise<number> {
  const answer = await service.throughWindow('POST', '/api/v4/local/registrations', { path: folder, id });
  if (answer.status !== 202)
    throw new Error(`a registration was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  for (
    let job = answer.body as Job;
    ;
    job = (await service.throughWindow('GET', `/api/v4/jobs/${job.id}`)).body as Job
  ) {
    if (job.state === 'done' && job.ended_at !== null)
      return (Date.parse(job.ended_at) - Date.parse(job.created_at)) / 1000;
    if (job.state === 'failed' || job.state === 'cancelled')
      throw new Error(`a registration ended as ${job.state}: ${job.message}`);
    await wait(20);
  }
}

/** @returns seconds */
function sha256sum(folder: string): number {
  const began = performance.now();
  execFileSync('sh', ['-c', 'exec sha256sum -- *'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return (performance.now() - began) / 1000;
}
