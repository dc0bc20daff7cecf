import { availableParallelism } from 'node:os';
import { measureInTurn, type Variant } from '../rounds.ts';
import { bytesRead } from '../servers/server.ts';
import { spreadOf } from '../statistics.ts';
import { details, ratioRow, spreadRow, variantOf, type Goal } from './goal.ts';

const size = 65_536;

/** A small range deep inside a ZIP of very many members. */
export const archiveRange: Goal = {
  name: 'archive-range',
  method:
    'Ranges of 64 KiB at 2,000 places of the ZIP of 100,000 members of 100 KiB, and of the 1 GiB file, both from our service; 16 kept connections of the epoll client, server and client each on a core. First byte: one range near the end, asked of a service that has just started. Bytes read: what all read calls of the service returned (/proc/PID/io) for one such range, less its 64 KiB.',
  run: async (bench) => {
    const { huge, single } = bench.sizes;
    const archivePath = `/measurements/${huge.name}`;
    const end = huge.count * huge.size;
    const firstBytes: number[] = [];
    const extraKibibytes: number[] = [];
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const fresh = await bench.restartService();
      const ask = async (first: number) =>
        (await bench.client(fresh, archivePath, { ranges: { size, first } })).firstByte.max;
      firstBytes.push(await ask(end - (round + 1) * 1_000_003));
      await ask(Math.floor(end / 3));
      const before = bytesRead(fresh.pid);
      await ask(Math.floor(end / 2) + round * 1_000_003);
      extraKibibytes.push((bytesRead(fresh.pid) - before - size) / 1024);
    }
    const service = bench.service();
    service.pin('0');
    const variant = (name: string, requestPath: string, of: number): Variant => ({
      name,
      server: service,
      run: (round) =>
        bench.client(service, requestPath, {
          connections: 16,
          requests: 1e9,
          seconds: bench.options.quick ? 0.7 : 2,
          ranges: { size, of, positions: 2000 },
          seed: round + 1,
          core: 1,
        }),
    });
    const measured = await measureInTurn(
      [
        variant('range of the archive', archivePath, end),
        variant('range of a file', '/measurements/single/files/0', single.size),
      ],
      bench.options.rounds,
    );
    service.pin(`0-${availableParallelism() - 1}`);
    const work = '64 KiB range in a ZIP of 100,000 members';
    return {
      rows: [
        ratioRow(
          work,
          variantOf(measured, 'range of the archive'),
          'the same range of a plain file',
          variantOf(measured, 'range of a file'),
          0.8,
        ),
        spreadRow(`${work}, first byte`, '-', spreadOf(firstBytes), { atMost: 50, unit: 'ms' }),
        spreadRow(`${work}, bytes read besides it`, '-', spreadOf(extraKibibytes), { atMost: 128, unit: 'KiB' }),
      ],
      details: details(work, measured.values(), 'requests'),
    };
  },
};
