import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { facilitySuites, leftOutFiles } from './test/cluster/left-out.ts';
import { furtherRooms, leftOutOnPostgres } from './test/service/postgres/left-out.ts';

/** The soak takes as long as it takes and waits most of that time: it begins first, beside what computes, and is not what all wait for in the end. */
class SoakFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSoak = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/soak/');
    // oxlint-disable-next-line unicorn/no-array-sort -- The sequencer's own, which gives a new list.
    const sorted = await super.sort(files);
    return [...sorted.filter(isSoak), ...sorted.filter((file) => !isSoak(file))];
  }
}

const all = 'test/**/*.test.ts';
/** Tests with a process of their own: they replace a module, look at their process, or keep it busy for long. */
const alone = globSync(all).filter(
  (file) =>
    file.includes('/differential/') ||
    /vi\.mock\(|process\.(cpuUsage|threadCpuUsage|memoryUsage)|\/proc\/self/.test(readFileSync(file, 'utf8')),
);
const runsAllOnPostgres = process.env['BENCHPORT_TEST_ON_POSTGRES'] === 'all';
/** The rooms whose tests also run with PostgreSQL behind the service, and all that can in `npm run test:postgres`. */
const onPostgres = [
  'accounts',
  'audit',
  'errors',
  'jobs',
  'measurements',
  'metrics',
  'notifications',
  'oauth',
  'outgoing',
  'fleet',
  'projects',
  'receipts',
  'short-lived',
  'timeline',
  'tokens',
  'transfers',
  ...(runsAllOnPostgres ? furtherRooms : []),
].map((room) => `test/service/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 4,
    // A second is not enough on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['test/service/postgres/global-setup.ts'],
    // `fetch` parses HTTP in WebAssembly, whose calls of JavaScript V8 compiles after a thousand of them: on a busy machine that ends the process now and then
    // (check of jit_page in ThreadIsolation::UnregisterWasmAllocation, Node 24.21). The product has WebAssembly only in pages.
    execArgv: ['--wasm-wrapper-tiering-budget=2147483647'],
    // Servers such as nginx lie where not everybody's PATH leads.
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    sequence: { sequencer: SoakFirst },
    // The others share processes: to load the service anew for each file took a third of the whole run.
    projects: [
      { extends: true, test: { name: 'alone', include: [...alone, 'test/soak/*.test.ts'], isolate: true } },
      {
        extends: true,
        test: { name: 'together', include: [all], exclude: [...alone, 'test/soak/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: onPostgres,
          exclude: Object.keys(leftOutOnPostgres),
          isolate: true,
          env: { BENCHPORT_TEST_DATABASE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'facility',
          include: [...facilitySuites],
          exclude: Object.keys(leftOutFiles),
          setupFiles: ['test/cluster/leave-out.ts'],
          isolate: false,
          env: { BENCHPORT_TEST_SERVICE: 'facility' },
        },
      },
    ],
  },
});
