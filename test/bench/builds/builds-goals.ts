import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Run } from '../clients.ts';
import { benchport, timeFetch } from '../fetch/fetch-clients.ts';
import type { FileSet } from '../fixture/files.ts';
import { details, spreadRow, variantOf, type Findings, type Goal } from '../goals/goal.ts';
import { measureInTurn } from '../rounds.ts';
import { ratios } from '../statistics.ts';
import type { Build } from './build.ts';
import type { BuildsBench } from './builds-bench.ts';

const connections = 8;
/** A twentieth more of processor time or of a fetch's time. */
const maxRatio = 1.05;

interface Work {
  readonly name: string;
  readonly unit: 'bytes' | 'requests';
  run(bench: BuildsBench, build: Build, round: number): Promise<Run>;
}

function goalOf(name: string, method: string, works: readonly Work[]): Goal<BuildsBench> {
  return {
    name,
    method: `${method} Server and client have a core each, and what is compared is the processor time of the server for the same requests.`,
    run: async (bench) => {
      const builds = [bench.now, bench.before];
      for (const { service } of builds) service.pin('0');
      const found: Findings[] = [];
      for (const work of works) found.push(await compare(bench, builds, work));
      for (const { service } of builds) service.pin(`0-${availableParallelism() - 1}`);
      return { rows: found.flatMap(({ rows }) => rows), details: found.flatMap((one) => one.details) };
    },
  };
}

async function compare(bench: BuildsBench, builds: readonly Build[], work: Work): Promise<Findings> {
  const measured = await measureInTurn(
    builds.map((build) => ({
      name: build.service.name,
      server: build.service,
      run: (round: number) => work.run(bench, build, round),
    })),
    bench.options.rounds,
  );
  const [now, before] = [variantOf(measured, 'now'), variantOf(measured, 'before')];
  const spent = ratios(now.cpuPerRequestOfRounds, before.cpuPerRequestOfRounds);
  return {
    rows: [spreadRow(`${work.name}: processor time`, 'before', spent, { atMost: maxRatio, unit: 'x' })],
    details: details(work.name, measured.values(), work.unit),
  };
}

const bearer = (build: Build) => ({ authorization: `Bearer ${build.token}` });

const serving: readonly Work[] = [
  {
    name: 'ranges of 64 KiB',
    unit: 'requests',
    run: async (bench, build, round) =>
      bench.client(build, '/measurements/single/files/0', {
        ...bearer(build),
        connections: 16,
        requests: bench.options.quick ? 2000 : 20_000,
        ranges: { size: 65_536, of: bench.sets.single.size, positions: 0 },
        seed: round + 1,
        core: 1,
      }),
  },
  ...(
    [
      ['file of 1 GiB', '/measurements/single/files/0', 2],
      ['archive of 1 GiB', '/measurements/single', 2],
      ['archive of 2,000 files', '/measurements/small', 8],
      ['manifest of 10,000 files', '/measurements/many/files', 100],
    ] as const
  ).map(([name, address, requests]): Work => ({
    name,
    unit: 'bytes',
    run: async (bench, build) => bench.client(build, address, { ...bearer(build), requests, core: 1 }),
  })),
  {
    name: 'list of measurements',
    unit: 'requests',
    run: async (bench, build) =>
      bench.client(build, '/api/v4/measurements', { ...bearer(build), connections, requests: 3000, core: 1 }),
  },
];

const form = (build: Build, rest: string) => `client_id=${build.clientId}&client_secret=${build.clientSecret}&${rest}`;

const signingIn: readonly Work[] = [
  {
    name: 'token check',
    unit: 'requests',
    run: async (bench, build) => {
      const authorization = `Bearer ${(await build.newTokens(1))[0]?.access}`;
      return bench.client(build, '/oauth/token/info', { authorization, connections, requests: 10_000, core: 1 });
    },
  },
  {
    name: 'introspection',
    unit: 'requests',
    run: async (bench, build) => {
      const forms = [form(build, `token=${(await build.newTokens(1))[0]?.access}`)];
      return bench.client(build, '/oauth/introspect', { forms, connections, requests: 10_000, core: 1 });
    },
  },
  {
    name: 'refresh',
    unit: 'requests',
    run: async (bench, build) => {
      const tokens = await build.newTokens(connections);
      const forms = tokens.map(({ refresh }) => form(build, `grant_type=refresh_token&refresh_token=${refresh}`));
      return bench.client(build, '/oauth/token', { forms, chain: true, connections, requests: 3000, core: 1 });
    },
  },
];

const events: readonly Work[] = [
  {
    name: 'events of 50 KB',
    unit: 'requests',
    run: async (bench, build) =>
      bench.client(build, '', { paths: build.envelopePaths, bodies: bench.largeEvents, connections, requests: 1000 }),
  },
  {
    name: 'events of 5 KB',
    unit: 'requests',
    run: async (bench, build) =>
      bench.client(build, '', {
        paths: build.envelopePaths,
        bodies: bench.smallEvents,
        connections: 64,
        requests: 3000,
      }),
  },
];

/** The command lines of both builds, fetching from this build's service. */
const fetching: Goal<BuildsBench> = {
  name: 'fetch',
  method:
    'Both command lines fetch from the service of this build into an empty folder; compared is the time from start to end.',
  run: async (bench) => {
    const found: Findings[] = [];
    for (const [name, set] of [
      ['fetch of 1 GiB', bench.sets.single],
      ['fetch of 2,000 files', bench.sets.small],
    ] as const)
      found.push(await compareFetch(bench, name, set));
    return { rows: found.flatMap(({ rows }) => rows), details: found.flatMap((one) => one.details) };
  },
};

async function compareFetch(bench: BuildsBench, work: string, set: FileSet): Promise<Findings> {
  const { service, token } = bench.now;
  const wanted = {
    baseUrl: `http://127.0.0.1:${service.port}`,
    measurementId: set.name,
    names: bench.namesOf(set),
    bytes: set.count * set.size,
    tokenFile: bench.tokenFile,
    token,
  };
  const programs = { now: undefined, before: path.join(bench.besideCheckout, 'out/service/cli.js') };
  const measured = await measureInTurn(
    Object.entries(programs).map(([name, program]) => ({
      name,
      server: service,
      run: async (round: number) =>
        timeFetch(benchport(4, program), wanted, path.join(bench.into, `${set.name}-${name}-${round}`)),
    })),
    bench.options.rounds,
  );
  const secondsOf = (name: string) => variantOf(measured, name).runs.map((run) => run.seconds);
  const took = ratios(secondsOf('now'), secondsOf('before'));
  return {
    rows: [spreadRow(`${work}: time`, 'before', took, { atMost: maxRatio, unit: 'x' })],
    details: details(work, measured.values(), set.count === 1 ? 'bytes' : 'requests'),
  };
}

export const buildsGoals: readonly Goal<BuildsBench>[] = [
  goalOf('serve', 'Ranges on 16 kept connections, whole bodies on one, lists on eight.', serving),
  goalOf('oauth', 'Eight kept connections; each refresh uses the token that the one before it returned.', signingIn),
  goalOf('errors', 'Compressed envelopes, those of 50 KB on 8 connections, those of 5 KB on 64.', events),
  fetching,
];
