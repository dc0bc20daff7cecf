import path from 'node:path';
import type { Bench } from '../bench.ts';
import { saveBody } from '../clients.ts';
import type { FileSet } from '../fixture/files.ts';
import { measureInTurn } from '../rounds.ts';
import { spreadOf } from '../statistics.ts';
import { details, ratioRow, spreadRow, variantOf, type Findings, type Goal } from './goal.ts';

/** The list of files. */
export const manifest: Goal = {
  name: 'manifest',
  method:
    'The epoll client fetches the manifest, not compressed, again and again on one connection; nginx serves the same bytes as a file. First byte and whole: the slowest of all counted requests of a round.',
  run: async (bench) => {
    const many = await measureManifest(bench, bench.sizes.many, 'manifest of 10,000 files', 100);
    const huge = await measureManifest(bench, bench.sizes.huge, 'manifest of 100,000 files', 20);
    return { rows: [...many.rows, ...huge.rows], details: [...many.details, ...huge.details] };
  },
};

async function measureManifest(bench: Bench, set: FileSet, work: string, requests: number): Promise<Findings> {
  const service = bench.service();
  const ours = { server: service, path: `/measurements/${set.name}/files` };
  const ready = { server: bench.nginx, path: `/ready/${set.name}.json` };
  const expect = await saveBody(
    { port: service.port, path: ours.path, authorization: bench.authorization },
    path.join(bench.root, ready.path),
  );
  await bench.verifySame([ours, ready]);
  const measured = await measureInTurn(
    [
      { name: 'benchport', server: service, run: () => bench.client(service, ours.path, { requests, expect }) },
      {
        name: 'nginx, same bytes',
        server: bench.nginx,
        run: () => bench.client(bench.nginx, ready.path, { requests, expect }),
      },
      {
        name: 'nginx, same bytes, sendfile off',
        server: bench.nginx,
        run: () => bench.client(bench.nginx.copying, ready.path, { requests, expect }),
      },
    ],
    bench.options.rounds,
  );
  const runs = variantOf(measured, 'benchport').runs;
  const slowest = (pick: (run: (typeof runs)[number]) => number) => spreadOf(runs.map(pick));
  return {
    rows: [
      ratioRow(
        work,
        variantOf(measured, 'benchport'),
        'nginx, same bytes, sendfile off',
        variantOf(measured, 'nginx, same bytes, sendfile off'),
        1,
      ),
      spreadRow(
        `${work}, first byte`,
        '-',
        slowest((run) => run.firstByte.max),
        { atMost: 100, unit: 'ms' },
      ),
      spreadRow(
        `${work}, whole`,
        '-',
        slowest((run) => run.total.max),
        { atMost: 1500, unit: 'ms' },
      ),
    ],
    details: details(work, measured.values(), 'bytes'),
  };
}
