import type { AuditStores } from '../../audit/stores.ts';
import { backOff } from '../../fetching/queue/back-off.ts';
import type { Clock } from '../../fetching/queue/clock.ts';
import type { ServerBackoff } from '../../fetching/queue/server-backoff.ts';
import { nextCheckAt } from './copy-checks.ts';
import type { CopyStores } from '../store/stores.ts';
import type { LiveCopy } from './live-copy.ts';
import type { CopyRunEnd } from './run-copy.ts';

interface Deps extends Pick<CopyStores, 'copies'>, Pick<AuditStores, 'audit'> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly backoffs: ServerBackoff;
}

/** Stores how a run ended. Rows that were paused or cancelled meanwhile stay so. */
export async function settleCopy(deps: Deps, { row, hasMoved }: LiveCopy, end: CopyRunEnd): Promise<void> {
  const { copies, audit, clock, random, backoffs } = deps;
  const now = clock.now();
  if (hasMoved || end.kind === 'verified') backoffs.succeeded(row.base_url);
  switch (end.kind) {
    case 'verified':
      if (await copies.verified(row.id, end.receipt, now, nextCheckAt(now, random())))
        await audit.record({
          userId: null,
          address: null,
          action: 'measurement.copy',
          subject: `measurement:${row.measurement_id}`,
          detail: row.server_name,
        });
      return;
    case 'stopped':
      await copies.apply(row.id, 'stop', { attempts: row.attempts }, now);
      return;
    case 'wait': {
      const attempts = hasMoved ? 1 : row.attempts + 1;
      const { reason, message } = end;
      const waitMs = waitFor(deps, row.base_url, end, attempts);
      await copies.apply(row.id, 'wait', { reason, message, attempts, retryAt: now + waitMs }, now);
      return;
    }
    case 'ask':
      await copies.apply(row.id, 'ask', { reason: end.reason, message: end.message }, now);
      // The server would refuse its other copies too.
      if (end.reason === 'token-refused') await copies.ask(row.base_url, end.reason, end.message);
      return;
    case 'fail':
      await copies.apply(row.id, 'fail', { reason: end.reason, message: end.message }, now);
  }
}

/** Milliseconds until the next attempt; all copies to one server share its back-off. */
function waitFor(
  { clock, random, backoffs }: Deps,
  baseUrl: string,
  { reason, message, retryAfterMs }: Extract<CopyRunEnd, { kind: 'wait' | 'ask' | 'fail' }>,
  attempts: number,
): number {
  const again = (failures: number): number => backOff(failures, retryAfterMs, random());
  if (reason !== 'unreachable' && reason !== 'server-busy') return again(attempts);
  const steady = clock.steady();
  const asked = retryAfterMs === null ? null : clock.now();
  return Math.ceil(backoffs.failed(baseUrl, steady, reason, message, again, asked).until - steady);
}
