import { details, ratioRow, spreadRow, variantOf, type Findings, type Goal } from '../goals/goal.ts';
import { measureInTurn } from '../rounds.ts';
import { ratios } from '../statistics.ts';
import type { ObjectsBench } from './objects-bench.ts';

/** A large file that nobody has read from the bucket. */
const cold: Goal<ObjectsBench> = {
  name: 'cold',
  method:
    'GET of one large file, of another measurement in each round, so that nothing of it is in the cache, beside the same file in the library. Storage, service and client share both cores.',
  run: async (bench) => {
    const [bucket, folder] = ['bucket, cold', 'library'];
    const measured = await measureInTurn(
      [
        variant(bench, folder, () => '/measurements/large/files/0'),
        variant(bench, bucket, (round) => `/measurements/large-${round}/files/0`),
      ],
      bench.options.rounds,
    );
    const [ours, theirs] = [variantOf(measured, bucket), variantOf(measured, folder)];
    const cpu = ratios([ours.cpuPerGigabyte.median], [theirs.cpuPerGigabyte.median]);
    return {
      rows: [
        ratioRow('one large file, cold', ours, 'library', theirs, 0.4),
        spreadRow('the same, processor time of the service', 'library', cpu, { atMost: 2.2, unit: 'x' }),
      ],
      details: details('one large file', measured.values(), 'bytes'),
    };
  },
};

/** A large file of the bucket whose blocks are in the cache. */
const cached: Goal<ObjectsBench> = {
  name: 'cached',
  method: 'GET of one large file that was read twice before, beside the same file in the library.',
  run: async (bench) => {
    for (let time = 0; time < 2; time += 1)
      await bench.client('/measurements/hot/files/0', { expect: bench.largeBytes });
    return compared(bench, 'one large file, cached', 'large/files/0', () => 'hot/files/0', 0.95);
  },
};

/** Many small files as one archive. */
const archive: Goal<ObjectsBench> = {
  name: 'archive',
  method:
    'GET of the archive of 2,000 files of 100 KiB, of another measurement in each round, beside the same files in the library.',
  run: async (bench) => compared(bench, 'archive of 2,000 files, cold', 'small', (round) => `small-${round}`, 0.4),
};

export const objectsGoals: readonly Goal<ObjectsBench>[] = [cold, cached, archive];

async function compared(
  bench: ObjectsBench,
  work: string,
  inLibrary: string,
  inBucket: (round: number) => string,
  wanted: number,
): Promise<Findings> {
  const measured = await measureInTurn(
    [
      variant(bench, 'library', () => `/measurements/${inLibrary}`),
      variant(bench, 'bucket', (round) => `/measurements/${inBucket(round)}`),
    ],
    bench.options.rounds,
  );
  return {
    rows: [ratioRow(work, variantOf(measured, 'bucket'), 'library', variantOf(measured, 'library'), wanted)],
    details: details(work, measured.values(), 'bytes'),
  };
}

function variant(bench: ObjectsBench, name: string, pathOf: (round: number) => string) {
  return { name, server: bench.server, run: async (round: number) => bench.client(pathOf(round)) };
}
