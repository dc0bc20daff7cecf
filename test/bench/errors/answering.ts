import { spreadRow, type Goal } from '../goals/goal.ts';
import { spreadOf } from '../statistics.ts';
import { connections, type ErrorsBench } from './errors-bench.ts';

export const perSecond = 100;

/** The time that a sender waits. */
export const answering: Goal<ErrorsBench> = {
  name: 'answering',
  method: `${perSecond} events of 50 KB a second, each when it is due, on 8 connections of the epoll client. The time of an answer counts from when the event was due until the last byte of the answer.`,
  run: async (bench) => {
    const seconds = bench.options.quick ? 2 : 8;
    const service = await bench.restartService();
    const send = () =>
      bench.client(service, '', {
        paths: bench.fixture.envelopePaths,
        bodies: bench.large,
        requests: perSecond * seconds,
        rate: perSecond,
        connections,
      });
    await send();
    const runs = [];
    for (let round = 0; round < bench.options.rounds; round += 1) runs.push((await send()).total);
    const work = `answer at ${perSecond} events/s of 50 KB`;
    const none = { cpu: '-', others: '-' };
    const middle = spreadOf(runs.map(({ p50 }) => p50));
    return {
      rows: [spreadRow(`${work}, p95`, '-', spreadOf(runs.map(({ p95 }) => p95)), { atMost: 7, unit: 'ms' })],
      details: [
        {
          work,
          variant: 'benchport, p50',
          figure: `${middle.median.toFixed(2)} ms`,
          spread: `${middle.min.toFixed(2)} to ${middle.max.toFixed(2)}`,
          ...none,
        },
      ],
    };
  },
};
