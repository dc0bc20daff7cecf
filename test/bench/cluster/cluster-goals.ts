import { availableParallelism } from 'node:os';
import { queries } from '../errors/list.ts';
import { details, spreadRow, variantOf, type Findings, type Goal } from '../goals/goal.ts';
import { measureInTurn, type Measured } from '../rounds.ts';
import { ratios } from '../statistics.ts';
import { connections, type ClusterBench, type Replica } from './cluster-bench.ts';

const manyConnections = 64;

/** Events at the maximum rate of one replica. */
const taking: Goal<ClusterBench> = {
  name: 'taking',
  method:
    'POST of envelopes compressed with gzip, whose events have 5 KB of JSON, as in `bench -- errors`, on 64 kept connections of the epoll client. Every answer follows its commit to disk. The service, PostgreSQL and the client share both cores.',
  run: async (bench) => {
    const requests = bench.options.quick ? 5000 : 20_000;
    const { bodies } = bench;
    return compared(bench, 'events of 5 KB', 0.7, async ({ server, fixture }) =>
      bench.client(server, '', { paths: fixture.envelopePaths, bodies, requests, connections: manyConnections }),
    );
  },
};

/** New tokens for refresh tokens. */
const issuing: Goal<ClusterBench> = {
  name: 'issuing',
  method:
    'POST to the token endpoint with grant_type=refresh_token on 8 kept connections, each with the token that the answer before gave it, as in `bench -- oauth`. Each issue is a transaction on PostgreSQL that locks its grant, on disk before its answer.',
  run: async (bench) => {
    return compared(bench, 'issuing by refresh', 0.25, async ({ server, fixture }, round) => {
      const tokens = fixture.tokens.slice(round * connections, (round + 1) * connections);
      const forms = tokens.map(
        ({ refreshToken }) =>
          `client_id=${fixture.clientId}&client_secret=${bench.secret}&grant_type=refresh_token&refresh_token=${refreshToken}`,
      );
      const load = { connections, requests: 1e9, seconds: secondsOf(bench), chain: true, say: '"access_token":"' };
      return bench.client(server, '/oauth/token', { ...load, forms });
    });
  },
};

/** Checking a token that is in the cache. */
const checking: Goal<ClusterBench> = {
  name: 'checking',
  method: 'GET of /oauth/token/info with one access token on 8 kept connections.',
  run: async (bench) =>
    compared(bench, 'token check', 0.95, async ({ server, fixture }) =>
      bench.client(server, '/oauth/token/info', {
        connections,
        requests: 1e9,
        seconds: secondsOf(bench),
        authorization: `Bearer ${fixture.tokens.at(-1)?.accessToken ?? ''}`,
        say: '"resource_owner_id"',
      }),
    ),
};

/** Small ranges of a file that is in the page cache. */
const ranges: Goal<ClusterBench> = {
  name: 'ranges',
  method:
    'Random ranges of 64 KiB out of one file on 16 kept connections. The service has one core, the client the other.',
  run: async (bench) => {
    for (const { server } of [bench.sqlite, bench.postgres]) server.pin('0');
    const of = bench.download.size;
    const found = await compared(bench, '64 KiB ranges', 0.95, async ({ server, fixture }, round) =>
      bench.client(server, bench.download.path, {
        connections: 16,
        requests: 1e9,
        seconds: secondsOf(bench),
        authorization: `Bearer ${fixture.admin}`,
        ranges: { size: 65_536, of, positions: 0 },
        seed: round + 1,
        core: 1,
      }),
    );
    for (const { server } of [bench.sqlite, bench.postgres]) server.pin(`0-${availableParallelism() - 1}`);
    return found;
  },
};

/** The error list of a project with many events. */
const list: Goal<ClusterBench> = {
  name: 'list',
  method: 'GET of the first page of the error list, ten views in turn, on one connection, as in `bench -- errors`.',
  run: async (bench) => {
    const work = `error list, ${bench.events.toLocaleString('en')} events in ${bench.errors.toLocaleString('en')} errors`;
    const measured = await inTurn(bench, async ({ server, fixture }) =>
      bench.client(server, '', {
        paths: queries.map((query) => `${fixture.errors}${query}`),
        authorization: `Bearer ${fixture.admin}`,
        requests: bench.options.quick ? 100 : 400,
        say: '{"errors":[',
      }),
    );
    const [sqlite, postgres] = [variantOf(measured, 'SQLite'), variantOf(measured, 'PostgreSQL')];
    const p95 = ({ runs }: Measured) => runs.map(({ total }) => total.p95);
    return {
      rows: [spreadRow(`${work}, p95`, 'SQLite', ratios(p95(postgres), p95(sqlite)), { atMost: 2, unit: 'x' })],
      details: details(work, measured.values(), 'requests'),
    };
  },
};

export const clusterGoals: readonly Goal<ClusterBench>[] = [taking, issuing, checking, ranges, list];

type Work = (replica: Replica, round: number) => ReturnType<ClusterBench['client']>;

function secondsOf({ options }: ClusterBench): number {
  return options.quick ? 1 : 3;
}

async function inTurn(bench: ClusterBench, work: Work): Promise<ReadonlyMap<string, Measured>> {
  const variants = [bench.sqlite, bench.postgres].map((replica) => ({
    name: replica.server.name,
    server: replica.server,
    run: async (round: number) => work(replica, round),
  }));
  return measureInTurn(variants, bench.options.rounds);
}

/** The rate on PostgreSQL as a ratio of that on SQLite. */
async function compared(bench: ClusterBench, name: string, atLeast: number, work: Work): Promise<Findings> {
  const measured = await inTurn(bench, work);
  const [sqlite, postgres] = [variantOf(measured, 'SQLite'), variantOf(measured, 'PostgreSQL')];
  const ratio = ratios(postgres.requestsPerSecond, sqlite.requestsPerSecond);
  return {
    rows: [spreadRow(name, 'SQLite', ratio, { atLeast, unit: 'x' })],
    details: details(name, measured.values(), 'requests'),
  };
}
