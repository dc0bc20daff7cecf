import { details, spreadRow, type Goal } from '../goals/goal.ts';
import { measureInTurn } from '../rounds.ts';
import { spreadOf } from '../statistics.ts';
import type { ErrorsBench } from './errors-bench.ts';

/** The views that are asked for in turn. */
export const queries = [
  '',
  '?sort=first_seen',
  '?sort=events',
  '?sort=users',
  '?query=is:unresolved+is:resolved',
  '?query=level:fatal',
  '?query=release:station@1.7.0',
  '?query=operator:o17',
  '?query=StationError77',
  '?query=is:resolved',
];

/** The error list of a project with a million events. */
export const list: Goal<ErrorsBench> = {
  name: 'list',
  method: `GET of the first page of the error list, 50 errors and their number, on one connection of the epoll client; ten views of it in turn: ${queries.map((query) => (query === '' ? 'as it opens' : `\`${query}\``)).join(', ')}. All are the list's own route, with token and role checked.`,
  run: async (bench) => {
    const service = bench.service();
    const { fixture, many, options } = bench;
    const ask = (query: string, requests: number) =>
      bench.client(service, `${fixture.errors}${query}`, {
        authorization: `Bearer ${fixture.admin}`,
        requests,
        say: '{"errors":[',
      });
    const paths = queries.map((query) => `${fixture.errors}${query}`);
    const all = await measureInTurn(
      [
        {
          name: 'benchport',
          server: service,
          run: () =>
            bench.client(service, '', {
              paths,
              authorization: `Bearer ${fixture.admin}`,
              requests: options.quick ? 100 : 400,
              say: '{"errors":[',
            }),
        },
      ],
      options.rounds,
    );
    const p95 = [...all.values()].flatMap(({ runs }) => runs.map(({ total }) => total.p95));
    const work = `error list, ${many.events.toLocaleString('en')} events in ${many.errors.toLocaleString('en')} errors`;
    const views = [];
    for (const query of queries) {
      const { total } = await ask(query, 20);
      const shown = {
        figure: `${total.p50.toFixed(1)} ms`,
        spread: `p95 ${total.p95.toFixed(1)}`,
        cpu: '-',
        others: '-',
      };
      views.push({ work: 'error list', variant: query === '' ? 'as it opens' : query, ...shown });
    }
    return {
      rows: [spreadRow(`${work}, p95`, '-', spreadOf(p95), { atMost: 40, unit: 'ms' })],
      details: [...details(work, all.values(), 'requests'), ...views],
    };
  },
};
