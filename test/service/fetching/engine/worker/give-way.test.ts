import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = path.resolve(
  import.meta.dirname,
  '../../../../../src-main/service/fetching/engine/worker/lower-priority.ts',
);
// In a separate process, because only root can raise a priority again.
const program = `
  import { readdirSync, readFileSync, promises } from 'node:fs';
  import os from 'node:os';
  import { Worker } from 'node:worker_threads';
  await promises.stat('/');
  const before = os.getPriority();
  const worker = new Worker(${JSON.stringify(`import(${JSON.stringify(module)}).then(({ lowerThreadPriority }) => lowerThreadPriority())`)}, { eval: true });
  await new Promise((resolve) => worker.on('exit', resolve));
  const pool = readdirSync('/proc/self/task')
    .filter((thread) => readFileSync('/proc/self/task/' + thread + '/comm', 'utf8') === 'libuv-worker\\n')
    .map((thread) => os.getPriority(Number(thread)));
  console.log(JSON.stringify({ before, after: os.getPriority(), pool }));
`;

test.runIf(process.platform === 'linux')(
  'threads that write what is fetched give way, and the thread that answers the window does not',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const { before, after, pool } = JSON.parse(stdout) as {
      readonly before: number;
      readonly after: number;
      readonly pool: readonly number[];
    };
    expect(after).toBe(before);
    expect(pool.length).toBeGreaterThan(0);
    expect(new Set(pool)).toEqual(new Set([Math.max(5, before)]));
  },
);
