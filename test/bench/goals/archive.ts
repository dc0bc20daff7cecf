import path from 'node:path';
import type { Bench } from '../bench.ts';
import { saveBody } from '../clients.ts';
import type { FileSet } from '../fixture/files.ts';
import { measureInTurn } from '../rounds.ts';
import { details, ratioRow, variantOf, type Findings, type Goal } from './goal.ts';

/** A whole measurement as one ZIP. */
export const archive: Goal = {
  name: 'archive',
  method:
    'The epoll client fetches the whole ZIP on one connection. nginx serves the same archive as a file that lies ready; archiver and yazl make one of the same files, stored, without a length. Nothing is pinned.',
  run: async (bench) => {
    const small = await measureArchive(bench, bench.sizes.zipSmall, 'ZIP of 2,000 x 100 KiB', 4, {
      copying: 0.9,
      makers: 9,
    });
    const large = await measureArchive(bench, bench.sizes.zipLarge, 'ZIP of 20 x 100 MiB', 1, {
      copying: 1,
      makers: 3.5,
    });
    return { rows: [...small.rows, ...large.rows], details: [...small.details, ...large.details] };
  },
};

async function measureArchive(
  bench: Bench,
  set: FileSet,
  work: string,
  repeated: number,
  wanted: { readonly copying: number; readonly makers: number },
): Promise<Findings> {
  const service = bench.service();
  const ours = { server: service, path: `/measurements/${set.name}` };
  const ready = { server: bench.nginx, path: `/ready/${set.name}.zip` };
  const expect = await saveBody(
    { port: service.port, path: ours.path, authorization: bench.authorization },
    path.join(bench.root, ready.path),
  );
  if (expect <= set.count * set.size)
    throw new Error(`an archive of ${expect} bytes cannot hold ${set.count} files of ${set.size}`);
  await bench.verifySame([ours, ready]);
  const measured = await measureInTurn(
    [
      {
        name: 'benchport',
        server: service,
        run: () => bench.client(service, ours.path, { requests: repeated, expect }),
      },
      {
        name: 'nginx, ready file',
        server: bench.nginx,
        run: () => bench.client(bench.nginx, ready.path, { requests: repeated, expect }),
      },
      {
        name: 'nginx, ready file, sendfile off',
        server: bench.nginx,
        run: () => bench.client(bench.nginx.copying, ready.path, { requests: repeated, expect }),
      },
      { name: 'archiver', server: bench.archiver, run: () => bench.client(bench.archiver, `/${set.name}`) },
      { name: 'yazl', server: bench.yazl, run: () => bench.client(bench.yazl, `/${set.name}`) },
    ],
    bench.options.rounds,
  );
  const [archiver, yazl] = [variantOf(measured, 'archiver'), variantOf(measured, 'yazl')];
  const shortest = Math.min(...[archiver, yazl].flatMap((maker) => maker.runs.map((run) => run.bytes)));
  if (shortest <= set.count * set.size)
    throw new Error(`archiver or yazl sent ${shortest} bytes: less than the files hold`);
  const best = {
    ...archiver,
    bytesPerSecond: archiver.bytesPerSecond.map((rate, round) => Math.max(rate, yazl.bytesPerSecond[round] ?? 0)),
  };
  return {
    rows: [
      ratioRow(
        work,
        variantOf(measured, 'benchport'),
        'nginx, ready file, sendfile off',
        variantOf(measured, 'nginx, ready file, sendfile off'),
        wanted.copying,
      ),
      ratioRow(work, variantOf(measured, 'benchport'), 'the better of archiver and yazl', best, wanted.makers),
    ],
    details: details(work, measured.values(), 'bytes'),
  };
}
