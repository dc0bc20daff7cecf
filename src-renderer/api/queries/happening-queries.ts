import type { Api } from '../requests/request.ts';
import type { HappeningCounts, Happenings, HappeningsSeen } from '../requests/types.ts';
import { createReaders } from './read-queries.ts';

export const happeningsShown = 100;
/** Milliseconds. An error that is resolved changes a count without a happening. */
const countAgainMs = 30_000;
const path = '/api/v4/user/happenings';

/** Queries of what has happened for the user. */
export function createHappeningQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    happenings: () => readJson<Happenings>(['happenings', 'list'], path, { limit: happeningsShown }),
    happeningCounts: () => ({
      ...readJson<HappeningCounts>(['happenings', 'counts'], `${path}/counts`),
      refetchInterval: countAgainMs,
    }),
  };
}

/** Requests by which a user marks happenings as seen. */
export function createHappeningActions(api: Api) {
  return {
    markHappeningsSeen: (seen: HappeningsSeen) => api.nothing(`${path}/seen`, { method: 'POST', body: seen }),
  };
}
