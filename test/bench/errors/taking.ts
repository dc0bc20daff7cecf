import { setTimeout as wait } from 'node:timers/promises';
import { details, spreadRow, variantOf, type Goal } from '../goals/goal.ts';
import { measureInTurn } from '../rounds.ts';
import { ratios, spreadOf } from '../statistics.ts';
import type { Run } from '../clients.ts';
import type { Server } from '../servers/server.ts';
import { connections, type ErrorsBench } from './errors-bench.ts';

// The number of the prototype that set the goal.
const many = 64;

/** Events at the maximum rate of the server. */
export const taking: Goal<ErrorsBench> = {
  name: 'taking',
  method:
    'POST of envelopes compressed with gzip: exceptions that seven SDKs sent, lengthened with source lines, local variables and breadcrumbs to 50 KB or 5 KB of JSON; each error comes with four sets of values, and every event has a new id. 50 KB on 8 kept connections of the epoll client, 5 KB on 64. Server and client share both cores. Our service answers when the event is on disk, read, grouped and counted. Bugsink answers when it has the bytes and reads them afterwards, so its time ends when the last event is in its database. The server that inflates and parses is fastify 5 with gunzip and JSON.parse and answers at once.',
  run: async (bench) => {
    const { bugsink, fixture, large, small, options } = bench;
    const requests = options.quick ? 500 : 2000;
    const service = await bench.restartService();
    const send = (bodies: readonly string[], count: number) => async () =>
      bench.client(service, '', { paths: fixture.envelopePaths, bodies, requests: count, connections });
    const measured = await measureInTurn(
      [
        { name: 'benchport, 50 KB', server: service, run: send(large, requests) },
        {
          name: 'Bugsink, 50 KB',
          server: bugsink,
          run: async () => digested(bench, { bodies: large, requests: options.quick ? 40 : 200, connections }),
        },
      ],
      options.rounds,
    );
    const again = await bench.restartService();
    const sendSmall = (server: Server, paths: readonly string[]) => async () =>
      bench.client(server, '', { paths, bodies: small, requests: options.quick ? 1000 : 3000, connections: many });
    const measuredSmall = await measureInTurn(
      [
        { name: 'benchport, 5 KB', server: again, run: sendSmall(again, fixture.envelopePaths) },
        { name: 'inflate and parse, 5 KB', server: bench.parser, run: sendSmall(bench.parser, ['/']) },
      ],
      options.rounds,
    );
    const oursSmall = variantOf(measuredSmall, 'benchport, 5 KB').requestsPerSecond;
    const ours = variantOf(measured, 'benchport, 50 KB').requestsPerSecond;
    const work = 'events of 50 KB';
    return {
      rows: [
        spreadRow(work, '-', spreadOf(ours), { atLeast: 600, unit: 'events/s' }),
        spreadRow(work, 'Bugsink', ratios(ours, variantOf(measured, 'Bugsink, 50 KB').requestsPerSecond), {
          atLeast: 10,
          unit: 'x',
        }),
        spreadRow('events of 5 KB', '-', spreadOf(oursSmall), { atLeast: 3000, unit: 'events/s' }),
        spreadRow(
          'events of 5 KB',
          'inflate and parse',
          ratios(oursSmall, variantOf(measuredSmall, 'inflate and parse, 5 KB').requestsPerSecond),
          {
            atLeast: 0.4,
            unit: 'x',
          },
        ),
      ],
      details: [
        ...details(work, measured.values(), 'requests'),
        ...details('events of 5 KB', measuredSmall.values(), 'requests'),
      ],
    };
  },
};

/** Sends events to Bugsink and waits until it has stored them. */
export async function digested(
  { bugsink, client }: Pick<ErrorsBench, 'bugsink' | 'client'>,
  load: { readonly bodies: readonly string[]; readonly requests: number; readonly connections: number },
): Promise<Run> {
  const wanted = (await bugsink.stored()) + load.requests;
  const begin = performance.now();
  const run = await client(bugsink, bugsink.path, load);
  for (;;) {
    const stored = await bugsink.stored();
    if (stored >= wanted) return { ...run, seconds: (performance.now() - begin) / 1000 };
    if (performance.now() - begin > 120_000)
      throw new Error(`Bugsink lacks ${wanted - stored} of ${load.requests} events after two minutes`);
    await wait(10);
  }
}
