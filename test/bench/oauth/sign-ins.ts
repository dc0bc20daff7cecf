import { details, spreadRow, variantOf, type Goal } from '../goals/goal.ts';
import { measureInTurn } from '../rounds.ts';
import { ratios, spreadOf } from '../statistics.ts';
import type { OAuthBench } from './oauth-bench.ts';
import { signInSteadily } from './sign-in-load.ts';

const perSecond = 20;

/** Users sign in during a download. */
export const signIns: Goal<OAuthBench> = {
  name: 'sign-ins',
  method: `A download of the big file again and again on one connection of the epoll client, alone and beside ${perSecond} sign-ins a second: form, password (argon2id, 19 MiB, 2 passes), session. Each person comes from an address of their own. Everything shares both cores. The event-loop delay is our service's, as /-/metrics gives it.`,
  run: async (bench) => {
    const seconds = bench.options.quick ? 2 : 5;
    const { service, download, fixture } = bench;
    const fetchFor = () =>
      bench.client(service, download.path, {
        authorization: download.authorization,
        connections: 1,
        requests: 1e9,
        seconds,
        expect: download.size,
      });
    const delays: number[] = [];
    const medians: number[] = [];
    const measured = await measureInTurn(
      [
        { name: 'benchport, download alone', server: service, run: fetchFor },
        {
          name: `benchport, download beside ${perSecond} sign-ins/s`,
          server: service,
          run: async (round) => {
            await bench.loopDelay();
            const [run, signed] = await Promise.all([
              fetchFor(),
              signInSteadily(service.port, fixture.usernames, perSecond, seconds),
            ]);
            const delay = await bench.loopDelay();
            if (round > 0) {
              delays.push(delay);
              medians.push(signed.median);
            }
            return run;
          },
        },
      ],
      bench.options.rounds,
    );
    const beside = variantOf(measured, `benchport, download beside ${perSecond} sign-ins/s`);
    const alone = variantOf(measured, 'benchport, download alone');
    const work = `${perSecond} sign-ins/s beside a download`;
    const took = spreadOf(medians);
    const left = ratios(beside.bytesPerSecond, alone.bytesPerSecond);
    const none = { cpu: '-', others: '-' };
    return {
      rows: [spreadRow(`${work}: event-loop delay, p99`, '-', spreadOf(delays), { atMost: 50, unit: 'ms' })],
      details: [
        ...details(work, measured.values(), 'bytes'),
        {
          work,
          variant: 'download, with sign-ins to without',
          figure: `${left.median.toFixed(2)}x`,
          spread: `${left.min.toFixed(2)} to ${left.max.toFixed(2)}`,
          ...none,
        },
        {
          work,
          variant: 'a sign-in, from the form to the answer',
          figure: `${took.median.toFixed(0)} ms`,
          spread: `${took.min.toFixed(0)} to ${took.max.toFixed(0)}`,
          ...none,
        },
      ],
    };
  },
};
