import { HttpProblem } from '../common/problem.ts';
import { shownName } from '../files/inspect-findings.ts';
import { grouped } from '../common/grouped.ts';
import type { FetchStores } from '../fetching/store/stores.ts';

const maxNamed = 5;

/** @throws HttpProblem 409 that names the fetches from this server that have not ended. */
export async function requireUnused({ fetches }: Pick<FetchStores, 'fetches'>, serverId: number): Promise<void> {
  const open = await fetches.inState('queued', 'running', 'waiting', 'asking', 'paused');
  const names = open.filter((fetch) => fetch.server_id === serverId).map((fetch) => shownName(fetch.measurement_id));
  if (names.length === 0) return;
  const more = names.length > maxNamed ? ` and ${grouped(names.length - maxNamed)} more` : '';
  throw new HttpProblem(
    409,
    `Fetches from this server have not ended: ${names.slice(0, maxNamed).join(', ')}${more}. Cancel them first, or wait for them.`,
    {
      type: 'server-in-use',
    },
  );
}
