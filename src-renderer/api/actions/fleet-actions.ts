import type { BenchChange, BenchDetail } from '../requests/types.ts';
import type { Api } from '../requests/request.ts';

const pathOf = (id: string): string => `/api/v4/fleet/benches/${encodeURIComponent(id)}`;

/** Changes to the benches that report to this server. */
export function createFleetActions(api: Api) {
  return {
    changeBench: (id: string, change: BenchChange) =>
      api.json<BenchDetail>(pathOf(id), { method: 'PATCH', body: change }),
    removeBench: (id: string) => api.nothing(pathOf(id), { method: 'DELETE' }),
  };
}
