import { rmSync } from 'node:fs';
import path from 'node:path';
import type { FileSet } from '../fixture/files.ts';
import { details, spreadRow, variantOf, type Findings, type Goal } from '../goals/goal.ts';
import { measureInTurn, type Measured } from '../rounds.ts';
import type { Server } from '../servers/server.ts';
import { ratios } from '../statistics.ts';
import type { FetchBench } from './fetch-bench.ts';
import {
  aria2ManyFiles,
  aria2OneFile,
  benchport,
  curlManyFiles,
  curlOneFile,
  timeFetch,
  type FetchClient,
} from './fetch-clients.ts';

const how =
  'The whole time of each program from its start to its end, into an empty folder on the same disk; before each run everything is written out. Ours fetches by manifest, proves CRC-32 and SHA-256 of each file and keeps a journal with fdatasync; the others only fetch, unless said otherwise.';

/** One big file. */
export const oneFile: Goal<FetchBench> = {
  name: 'one-file',
  method: `${how} 1 GiB with four connections each, curl with one.`,
  run: async (bench) => {
    const clients = {
      benchport: benchport(4),
      'aria2c -x4': aria2OneFile(4, null),
      'aria2c -x4, with --checksum': aria2OneFile(4, bench.singleDigest),
      curl: curlOneFile,
    };
    const goals = { 'aria2c -x4': 1 };
    return both(await fromEach(bench, bench.single, bench.options.quick ? '256 MiB' : '1 GiB', clients, goals));
  },
};

/** Many small files. */
export const smallFiles: Goal<FetchBench> = {
  name: 'small-files',
  method: `${how} 2,000 files of 16 KiB; the others with sixteen at once.`,
  run: async (bench) => {
    const clients = { benchport: benchport(4), 'aria2c -j16': aria2ManyFiles(16), 'curl -Z': curlManyFiles(16) };
    const goals = { 'aria2c -j16': 0.4, 'curl -Z': 3 };
    return both(await fromEach(bench, bench.small, '2,000 small files', clients, goals));
  },
};

/** The same fetch from nginx and from our service. */
async function fromEach(
  bench: FetchBench,
  set: FileSet,
  work: string,
  clients: Readonly<Record<string, FetchClient>>,
  goals: Readonly<Record<string, number>>,
): Promise<readonly Findings[]> {
  const found: Findings[] = [];
  try {
    for (const server of [bench.nginx, bench.service()])
      found.push(await fromOne(bench, server, set, `${work} from ${server.name}`, clients, goals));
    return found;
  } finally {
    rmSync(bench.into, { recursive: true, force: true });
  }
}

async function fromOne(
  bench: FetchBench,
  server: Server,
  set: FileSet,
  work: string,
  clients: Readonly<Record<string, FetchClient>>,
  goals: Readonly<Record<string, number>>,
): Promise<Findings> {
  const wanted = bench.wanted(server, set);
  const variants = Object.entries(clients).map(([name, client]) => ({
    name,
    server,
    run: async (round: number) => {
      const folder = path.join(bench.into, `${server.name}-${name}-${round}`.replaceAll(/[^a-z0-9]+/gi, '-'));
      try {
        return await timeFetch(client, wanted, folder);
      } finally {
        // Files stay until the end, because removing thousands slows ext4 down for some seconds
        // (0.4 to 0.7 s more for 2,000 new files, with any program).
        if (set.count === 1) rmSync(folder, { recursive: true, force: true });
      }
    },
  }));
  const measured = await measureInTurn(variants, bench.options.rounds);
  const ours = secondsOf(variantOf(measured, 'benchport'));
  return {
    rows: Object.entries(goals).map(([name, atMost]) =>
      spreadRow(`${work}: time`, name, ratios(ours, secondsOf(variantOf(measured, name))), { atMost, unit: 'x' }),
    ),
    details: details(work, measured.values(), set.count === 1 ? 'bytes' : 'requests'),
  };
}

function secondsOf(measured: Measured): readonly number[] {
  return measured.runs.map((run) => run.seconds);
}

function both(found: readonly Findings[]): Findings {
  return { rows: found.flatMap(({ rows }) => rows), details: found.flatMap((one) => one.details) };
}
