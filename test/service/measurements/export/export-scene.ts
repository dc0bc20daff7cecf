import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeEach } from 'vitest';
import type { TestService } from '../../start.ts';
import { makeFiles, startWithFolder } from '../registration/support.ts';
import { useFreshWorld } from '../../use-service.ts';

export const run = promisify(execFile);
const content = {
  'a.txt': 'alpha',
  'deep/er/ü 100%.csv': '1,2\n',
  'empty.dat': '',
  'big.bin': Buffer.alloc(1_500_000, 3),
};

export async function same(a: string, b: string): Promise<void> {
  await run('diff', ['--recursive', '--brief', a, b]);
}

/** A new service with a folder of files and a destination for each test. */
export function useExports() {
  const service = useFreshWorld(startWithFolder);
  const scene = {} as { target: string };

  beforeEach(async () => {
    scene.target = path.join(service.files, 'target');
    await mkdir(scene.target);
    await makeFiles(service.run, content);
  });

  /** Waits until an export has written something. */
  async function writing(running: TestService, id: number): Promise<void> {
    while ((await readdir(scene.target)).length === 0) {
      const job = await running.services.jobs.byId(id);
      if (job?.ended_at !== null) throw new Error(`the export ended before it began: ${job?.message}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  return Object.assign(scene, { service, writing });
}
