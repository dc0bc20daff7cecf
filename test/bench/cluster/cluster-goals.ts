import { availableParallelism } from 'node:os';
import { queries } from '../errors/list.ts';
import { digested } from '../errors/taking.ts';
import { details, spreadRow, variantOf, type Findings, type Goal } from '../goals/goal.ts';
import type { Tokens } from '../oauth/oauth-server.ts';
import { measureInTurn, type Measured, type Variant } from '../rounds.ts';
import { ratios } from '../statistics.ts';
import { connections, type ClusterBench, type Replica } from './cluster-bench.ts';

const manyConnections = 64;

/** Events at the maximum rate of one replica. */
const taking: Goal<ClusterBench> = {
  name: 'taking',
  method:
    'POST of envelopes compressed with gzip, whose events have 5 KB of JSON, as in `bench -- errors`, on 64 kept connections of the epoll client. Every answer follows its commit to disk. The service, PostgreSQL and the client share both cores. Bugsink answers when it has the bytes, so its time ends when the last event is in its database.',
  run: async (bench) => {
    const requests = bench.options.quick ? 5000 : 20_000;
    const { bodies } = bench;
    const peer: Peer = {
      name: 'Bugsink on PostgreSQL',
      atLeast: 10,
      server: bench.bugsink,
      run: async () =>
        digested(bench, { bodies, requests: bench.options.quick ? 40 : 200, connections: manyConnections }),
    };
    return compared(
      bench,
      'events of 5 KB',
      0.7,
      async ({ server, fixture }) =>
        bench.client(server, '', { paths: fixture.envelopePaths, bodies, requests, connections: manyConnections }),
      peer,
    );
  },
};

/** New tokens for refresh tokens. */
const issuing: Goal<ClusterBench> = {
  name: 'issuing',
  method:
    'POST to the token endpoint with grant_type=refresh_token on 8 kept connections, each with the token that the answer before gave it, as in `bench -- oauth`. Each issue is a transaction on PostgreSQL that locks its grant, on disk before its answer. oidc-provider has an adapter of this benchmark: a row for each object, one prepared statement for each call of the adapter, as many connections as our service.',
  run: async (bench) => {
    const { secret, oidcProvider } = bench;
    const load = { connections, requests: 1e9, seconds: secondsOf(bench), chain: true, say: '"access_token":"' };
    const peer: Peer = {
      name: 'oidc-provider on PostgreSQL',
      // As against the one in memory in `bench -- oauth`.
      atLeast: 0.5,
      server: oidcProvider.server,
      run: async () => {
        const forms = formsOf(oidcProvider.clientId, secret, await oidcProvider.newTokens(connections));
        return bench.client(oidcProvider.server, oidcProvider.tokenPath, { ...load, forms });
      },
    };
    return compared(
      bench,
      'issuing by refresh',
      0.25,
      async ({ server, fixture }, round) => {
        const tokens = fixture.tokens.slice(round * connections, (round + 1) * connections);
        return bench.client(server, '/oauth/token', { ...load, forms: formsOf(fixture.clientId, secret, tokens) });
      },
      peer,
    );
  },
};

function formsOf(clientId: string, secret: string, tokens: readonly Tokens[]): readonly string[] {
  return tokens.map(
    ({ refreshToken }) =>
      `client_id=${clientId}&client_secret=${secret}&grant_type=refresh_token&refresh_token=${refreshToken}`,
  );
}

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

/** Another program beside the two, with what our rate on PostgreSQL has to be of its own. */
interface Peer extends Variant {
  readonly atLeast: number;
}

type Work = (replica: Replica, round: number) => ReturnType<ClusterBench['client']>;

function secondsOf({ options }: ClusterBench): number {
  return options.quick ? 1 : 3;
}

async function inTurn(
  bench: ClusterBench,
  work: Work,
  peers: readonly Variant[] = [],
): Promise<ReadonlyMap<string, Measured>> {
  const variants = [bench.sqlite, bench.postgres].map((replica) => ({
    name: replica.server.name,
    server: replica.server,
    run: async (round: number) => work(replica, round),
  }));
  return measureInTurn([...variants, ...peers], bench.options.rounds);
}

/** The rate on PostgreSQL as a ratio of that on SQLite, and of that of another program. */
async function compared(
  bench: ClusterBench,
  name: string,
  atLeast: number,
  work: Work,
  peer?: Peer,
): Promise<Findings> {
  const measured = await inTurn(bench, work, peer ? [peer] : []);
  const ours = variantOf(measured, 'PostgreSQL').requestsPerSecond;
  const row = (against: string, wanted: number) =>
    spreadRow(name, against, ratios(ours, variantOf(measured, against).requestsPerSecond), {
      atLeast: wanted,
      unit: 'x',
    });
  return {
    rows: [row('SQLite', atLeast), ...(peer ? [row(peer.name, peer.atLeast)] : [])],
    details: details(name, measured.values(), 'requests'),
  };
}
