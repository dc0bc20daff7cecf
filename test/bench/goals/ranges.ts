import { availableParallelism } from 'node:os';
import { measureInTurn } from '../rounds.ts';
import { details, ratioRow, variantOf, type Findings, type Goal } from './goal.ts';

/** Small ranges anywhere in a big file. */
export const ranges: Goal = {
  name: 'ranges',
  method:
    'Random ranges of 64 KiB out of the 1 GiB file on 16 kept connections of the epoll client. One core: server and client are pinned to the same core; two cores: each to one of its own.',
  run: async (bench) => {
    const size = bench.sizes.single.size;
    const targets = [
      { server: bench.service(), path: '/measurements/single/files/0' },
      { server: bench.nginx, path: '/single/file-000000.bin' },
      { server: bench.fastifyStatic, path: '/single/file-000000.bin' },
    ];
    await bench.verifySame(targets, 'bytes=123456789-123522324');
    const seconds = bench.options.quick ? 0.7 : 2;
    const findings: Findings[] = [];
    for (const { work, core, overNginx } of [
      { work: '64 KiB ranges, one core', core: 0, overNginx: 0.5 },
      { work: '64 KiB ranges, two cores', core: 1, overNginx: 0.25 },
    ]) {
      for (const { server } of targets) server.pin('0');
      const load = { connections: 16, requests: 1e9, seconds, ranges: { size: 65_536, of: size, positions: 0 }, core };
      const measured = await measureInTurn(
        targets.map(({ server, path }) => ({
          name: server.name,
          server,
          run: (round) => bench.client(server, path, { ...load, seed: round + 1 }),
        })),
        bench.options.rounds,
      );
      const ours = variantOf(measured, 'benchport');
      findings.push({
        rows: [
          ratioRow(work, ours, 'nginx', variantOf(measured, 'nginx'), overNginx),
          ratioRow(work, ours, '@fastify/static', variantOf(measured, '@fastify/static'), 3),
        ],
        details: details(work, measured.values(), 'requests'),
      });
    }
    for (const { server } of targets) server.pin(`0-${availableParallelism() - 1}`);
    return { rows: findings.flatMap((one) => one.rows), details: findings.flatMap((one) => one.details) };
  },
};
