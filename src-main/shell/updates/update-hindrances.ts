import type { UpdateHindrance } from '../../../src-preload/bridge.ts';
import type { FetchPage } from '../../service/contract/fetches.ts';
import type { Job } from '../../service/contract/jobs.ts';
import type { SendToService } from '../service/service-socket.ts';
import type { ServiceState } from '../service/service-supervisor.ts';
import { hindrancesOf } from './update-rules.ts';

/**
 * The work in progress that an update must not interrupt. A starting service has not reported yet,
 * so everything is assumed to be in progress; a failed service does nothing, and the update may fix
 * it.
 */
export async function updateHindrances(
  sendToService: SendToService,
  state: ServiceState,
): Promise<readonly UpdateHindrance[]> {
  if (state.kind === 'failed' || state.kind === 'stopped') return [];
  try {
    const { items } = (await sendToService('/api/v4/local/fetches?limit=500')) as FetchPage;
    const transfers = (await sendToService('/api/v4/transfers/running')) as readonly unknown[];
    const jobs = (await sendToService('/api/v4/jobs?state=active')) as readonly Job[];
    return hindrancesOf({
      // Waiting and paused fetches are left out, because they may wait for days.
      fetches: items.filter((one) => one.state === 'running' || one.state === 'queued').length,
      transfers: transfers.length,
      jobs: jobs.filter((one) => one.state === 'running' || one.state === 'queued').length,
    });
  } catch {
    return hindrancesOf({ fetches: 1, transfers: 1, jobs: 1 });
  }
}
