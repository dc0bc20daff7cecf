import { availableParallelism } from 'node:os';
import { runCurl } from '../clients.ts';
import type { Variant } from '../rounds.ts';
import { measureInTurn } from '../rounds.ts';
import type { Server } from '../servers/server.ts';
import { details, ratioRow, variantOf, type Goal } from './goal.ts';

/** One big file, by curl and by sixteen connections at once. */
export const singleFile: Goal = {
  name: 'single-file',
  method:
    'One file of 1 GiB. curl writes it to /dev/null; the epoll client fetches it whole on 16 connections at once. Nothing is pinned. That client is one thread: where a server itself has little to do, what is measured is how fast the client copies. One core: one connection, server and client pinned to the same core, so that the figure for the processor holds no waking of another one.',
  run: async (bench) => {
    const size = bench.sizes.single.size;
    const service = bench.service();
    const targets: readonly { readonly server: Server; readonly path: string }[] = [
      { server: service, path: '/measurements/single/files/0' },
      { server: bench.nginx, path: '/single/file-000000.bin' },
      { server: bench.nginx.copying, path: '/single/file-000000.bin' },
      { server: bench.fastifyStatic, path: '/single/file-000000.bin' },
    ];
    await bench.verifySame(targets);
    const variants = targets.flatMap(({ server, path }): Variant[] => [
      {
        name: `${server.name}, curl`,
        server,
        run: () => runCurl({ port: server.port, path, authorization: bench.authorization, expect: size }),
      },
      {
        name: `${server.name}, 16 clients`,
        server,
        run: () => bench.client(server, path, { connections: 16, requests: 16, expect: size }),
      },
    ]);
    const measured = await measureInTurn(variants, bench.options.rounds);
    for (const { server } of targets) server.pin('0');
    const sameCore = await measureInTurn(
      targets.map(({ server, path }) => ({
        name: server.name,
        server,
        run: () => bench.client(server, path, { expect: size, core: 0 }),
      })),
      bench.options.rounds,
    );
    for (const { server } of targets) server.pin(`0-${availableParallelism() - 1}`);
    const pair = (theirs: string, client: string, wanted: number) =>
      ratioRow(
        `1 GiB file, ${client}`,
        variantOf(measured, `benchport, ${client}`),
        theirs,
        variantOf(measured, `${theirs}, ${client}`),
        wanted,
      );
    return {
      rows: [
        pair('nginx, sendfile off', 'curl', 1),
        pair('@fastify/static', 'curl', 2.5),
        pair('nginx, sendfile off', '16 clients', 1),
        pair('@fastify/static', '16 clients', 2.5),
      ],
      details: [
        ...details('1 GiB file', measured.values(), 'bytes'),
        ...details('1 GiB file, one core', sameCore.values(), 'bytes'),
      ],
    };
  },
};
