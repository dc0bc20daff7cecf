import { details, spreadRow, variantOf, type Goal } from '../goals/goal.ts';
import { measureInTurn } from '../rounds.ts';
import { ratios } from '../statistics.ts';
import { perSecond } from './answering.ts';
import { connections, type ErrorsBench } from './errors-bench.ts';

/** A download while errors are received. */
export const download: Goal<ErrorsBench> = {
  name: 'download',
  method: `A download of the big file again and again on one connection of the epoll client, alone and beside ${perSecond} events of 50 KB a second, of which each has to be taken. Everything shares both cores.`,
  run: async (bench) => {
    const seconds = bench.options.quick ? 2 : 5;
    const service = await bench.restartService();
    const { download: file, fixture, large } = bench;
    const fetchFor = () =>
      bench.client(service, file.path, {
        authorization: `Bearer ${fixture.admin}`,
        connections: 1,
        requests: 1e9,
        seconds,
        expect: file.size,
      });
    const sendFor = () =>
      bench.client(service, '', {
        paths: fixture.envelopePaths,
        bodies: large,
        rate: perSecond,
        requests: perSecond * seconds,
        connections,
      });
    const measured = await measureInTurn(
      [
        { name: 'benchport, download alone', server: service, run: fetchFor },
        {
          name: 'benchport, download beside events',
          server: service,
          run: async () => (await Promise.all([fetchFor(), sendFor()]))[0],
        },
      ],
      bench.options.rounds,
    );
    const rate = (name: string) => variantOf(measured, name).bytesPerSecond;
    const work = `download beside ${perSecond} events/s of 50 KB`;
    return {
      rows: [
        spreadRow(work, 'alone', ratios(rate('benchport, download beside events'), rate('benchport, download alone')), {
          atLeast: 0.8,
          unit: 'x',
        }),
      ],
      details: details(work, measured.values(), 'bytes'),
    };
  },
};
