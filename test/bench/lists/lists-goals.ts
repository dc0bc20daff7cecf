import { spreadRow, type Detail, type Goal, type Row } from '../goals/goal.ts';
import { spreadOf } from '../statistics.ts';
import type { ListsBench } from './lists-bench.ts';
import { listsBegin, type ListReaders } from './lists-database.ts';

/** The maximum time that a list may block the event loop, milliseconds. */
const maxHold = 10;
const requests = 10;

function timeOf(afterBeginMs: number): string {
  return new Date(listsBegin + afterBeginMs).toISOString();
}

interface View {
  readonly name: string;
  readonly path: string;
  readonly reader?: keyof ListReaders;
}

const measurements = '/api/v4/measurements';
const tokenOrders = ['created', 'expires', 'last_used', 'name'].flatMap((by) => [`${by}_asc`, `${by}_desc`]);
const sorts = ['created_at', 'id', 'title', 'total_bytes', 'file_count', 'state'];

function listGoal(name: string, what: string, views: readonly View[]): Goal<ListsBench> {
  return {
    name,
    method: `${what}: GET on one connection of the epoll client, the views in turn, each ${requests} times a round; the longest hold is the most processor time that one turn of the event loop took, from its first statement to its end.`,
    run: async (bench) => {
      const rows: Row[] = [];
      const details: Detail[] = [];
      for (const view of views) {
        const authorization = `Bearer ${bench.readers[view.reader ?? 'admin']}`;
        const ask = async () => bench.client(view.path, { authorization, requests });
        await ask();
        const delays: number[] = [];
        const medians: number[] = [];
        const slowest: number[] = [];
        for (let round = 0; round < bench.options.rounds; round += 1) {
          await bench.maxHold();
          const { total } = await ask();
          delays.push(await bench.maxHold());
          medians.push(total.p50);
          slowest.push(total.p95);
        }
        rows.push(spreadRow(`${view.name}: longest hold`, '-', spreadOf(delays), { atMost: maxHold, unit: 'ms' }));
        const [middle, end] = [spreadOf(medians), spreadOf(slowest)];
        details.push({
          work: view.name,
          variant: 'benchport',
          figure: `${middle.median.toFixed(1)} ms`,
          spread: `p95 ${end.median.toFixed(1)}`,
          cpu: '-',
          others: '-',
        });
      }
      return { rows, details };
    },
  };
}

const readers: readonly (readonly [keyof ListReaders, string])[] = [
  ['admin', 'an administrator'],
  ['owner', 'the owner'],
  ['direct', 'a reader of a third by a grant'],
  ['project', 'a reader of two thirds by a project and everyone'],
  ['everyone', 'a reader of what everyone may read'],
];

export const listGoals: readonly Goal<ListsBench>[] = [
  listGoal(
    'measurements',
    'Lists of measurements in all orders, first pages and the last one by number',
    readers.flatMap(([reader, who]) => [
      ...sorts.flatMap((sort) =>
        ['asc', 'desc'].map((order) => ({
          name: `measurements by ${sort} ${order}, ${who}`,
          path: `${measurements}?sort=${sort}&order=${order}&per_page=100`,
          reader,
        })),
      ),
      { name: `measurements, page 101, ${who}`, path: `${measurements}?per_page=100&page=101`, reader },
    ]),
  ),
  listGoal(
    'search',
    'Searches of measurements: one match, some hundreds, all, none, two letters, and a pair of common trigrams that never meet',
    readers.flatMap(([reader, who]) =>
      ['7919%20on', 'bench%2042', 'wing', 'nothing%20like%20it', '42', 'xq', 'ing%20bench'].map((text) => ({
        name: `search for "${decodeURIComponent(text)}", ${who}`,
        path: `${measurements}?search=${text}&per_page=100&sort=title`,
        reader,
      })),
    ),
  ),
  listGoal('files', 'Files of a measurement of 100,000', [
    { name: 'files, first page', path: `${measurements}/m-1/files?limit=500` },
    { name: 'files, a page in the middle', path: `${measurements}/m-1/files?limit=500&after=10000` },
    { name: 'files by path, first page', path: `${measurements}/m-1/files?limit=500&sort=path` },
    { name: 'files by path, a page in the middle', path: `${measurements}/m-1/files?limit=500&sort=path&after=10000` },
    { name: 'files by size, the last first', path: `${measurements}/m-1/files?limit=500&sort=size&order=desc` },
    { name: 'files by size, a page in the middle', path: `${measurements}/m-1/files?limit=500&sort=size&after=10000` },
    { name: 'search of files that all fit', path: `${measurements}/m-1/files?limit=200&sort=size&search=scan` },
    { name: 'search of files', path: `${measurements}/m-1/files?limit=200&sort=path&search=scan_0` },
    { name: 'search of files without a match', path: `${measurements}/m-1/files?limit=200&sort=path&search=nothing` },
  ]),
  listGoal('people', 'Users, tokens, applications, projects and members', [
    { name: 'users', path: '/api/v4/users/managed?per_page=100' },
    { name: 'users by creation', path: '/api/v4/users/managed?per_page=100&sort=created_at&order=desc' },
    { name: 'users by last sign-in', path: '/api/v4/users/managed?per_page=100&sort=last_sign_in_at&order=desc' },
    { name: 'users by state', path: '/api/v4/users/managed?per_page=100&sort=state' },
    { name: 'users, page 101', path: '/api/v4/users/managed?per_page=100&page=101' },
    {
      name: 'users by last sign-in, page 101',
      path: '/api/v4/users/managed?per_page=100&sort=last_sign_in_at&order=desc&page=101',
    },
    { name: 'blocked users', path: '/api/v4/users/managed?per_page=100&state=blocked' },
    { name: 'search of users', path: '/api/v4/users/managed?per_page=100&search=son%2077' },
    {
      name: 'search of users by last sign-in',
      path: '/api/v4/users/managed?per_page=100&search=son%2077&sort=last_sign_in_at&order=desc',
    },
    { name: 'search of users without a match', path: '/api/v4/users/managed?search=nobody' },
    { name: 'users to grant to', path: '/api/v4/users?search=77' },
    { name: 'tokens', path: '/api/v4/personal_access_tokens?per_page=100' },
    ...tokenOrders.flatMap((sort) => [
      { name: `tokens by ${sort}`, path: `/api/v4/personal_access_tokens?per_page=100&sort=${sort}` },
      {
        name: `tokens by ${sort}, page 101`,
        path: `/api/v4/personal_access_tokens?per_page=100&sort=${sort}&page=101`,
      },
      {
        name: `active tokens by ${sort}`,
        path: `/api/v4/personal_access_tokens?per_page=100&state=active&sort=${sort}`,
      },
      {
        name: `ended tokens by ${sort}`,
        path: `/api/v4/personal_access_tokens?per_page=100&state=inactive&sort=${sort}`,
      },
    ]),
    { name: 'search of tokens', path: '/api/v4/personal_access_tokens?per_page=100&search=station%2077' },
    {
      name: 'search of tokens by last use',
      path: '/api/v4/personal_access_tokens?per_page=100&search=station%2077&sort=last_used_desc',
    },
    {
      name: 'search of tokens that half of them fit',
      path: '/api/v4/personal_access_tokens?per_page=100&search=ci&sort=last_used_desc',
    },
    { name: 'search of tokens without a match', path: '/api/v4/personal_access_tokens?per_page=100&search=nothing' },
    { name: 'revoked tokens', path: '/api/v4/personal_access_tokens?per_page=100&revoked=true' },
    {
      name: 'tokens used in an hour',
      path: `/api/v4/personal_access_tokens?per_page=100&last_used_after=${timeOf(400_000)}&last_used_before=${timeOf(460_000)}`,
    },
    { name: 'applications', path: '/api/v4/applications?per_page=100' },
    { name: 'projects', path: '/api/v4/projects/mine' },
    { name: 'search of projects', path: '/api/v4/projects?search=99' },
    { name: 'members', path: '/api/v4/projects/1/members' },
    { name: 'jobs that go on', path: '/api/v4/jobs?state=active' },
    { name: 'jobs that ended', path: '/api/v4/jobs?state=ended' },
  ]),
  listGoal('trail', 'Past transfers and the audit trail, with filters', [
    { name: 'past transfers', path: '/api/v4/transfers/past?per_page=100' },
    { name: 'past transfers, page 101', path: '/api/v4/transfers/past?per_page=100&page=101' },
    { name: 'search of past transfers', path: '/api/v4/transfers/past?per_page=100&search=person-7' },
    { name: 'transfers of a measurement', path: `${measurements}/m-7/transfers?per_page=100` },
    { name: 'audit trail', path: '/api/v4/audit_events?per_page=100' },
    { name: 'audit trail of a user', path: '/api/v4/audit_events?per_page=100&user=person-77' },
    { name: 'audit trail of actions', path: '/api/v4/audit_events?per_page=100&action=token.' },
    { name: 'audit trail of a rare action', path: '/api/v4/audit_events?per_page=100&action=user.del' },
    {
      name: 'audit trail of a day',
      path: `/api/v4/audit_events?per_page=100&from=${timeOf(0).slice(0, 10)}&to=${timeOf(0).slice(0, 10)}`,
    },
  ]),
  listGoal('errors', 'The error list of a project in all orders, and its search', [
    ...['last_seen', 'first_seen', 'events', 'users'].map((sort) => ({
      name: `errors by ${sort}`,
      path: `/api/v4/projects/1/errors?sort=${sort}`,
    })),
    { name: 'errors of all states', path: '/api/v4/projects/1/errors?query=is:unresolved+is:resolved+is:ignored' },
    { name: 'fatal errors', path: '/api/v4/projects/1/errors?query=level:fatal' },
    { name: 'search of errors', path: '/api/v4/projects/1/errors?query=StationError77' },
    { name: 'search of errors without a match', path: '/api/v4/projects/1/errors?query=nothing' },
  ]),
];
