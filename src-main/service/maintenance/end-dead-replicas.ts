import { repeatedly } from '../common/repeatedly.ts';
import type { ReplicasStore } from '../database/cluster/replicas-store.ts';
import type { TransferStores } from '../transfers/stores.ts';
import type { Logger } from 'pino';

const lookEveryMs = 1000;
/** After a change of the primary all leases have run out: the others renew theirs first. */
const settleMs = 2000;
// Rows can also be left by a replica that removed itself while the database took no other writes.
const sweepEveryMs = 60_000;

interface Deps extends Pick<TransferStores, 'transfers'> {
  readonly replicas: ReplicasStore;
  readonly log: Logger;
}

/**
 * Ends the transfers of replicas whose lease is over, and notes that of these replicas.
 *
 * @returns a function that stops it and waits for what is under way.
 */
export function endDeadReplicas({ replicas, transfers, log }: Deps): () => Promise<void> {
  const ledSince = performance.now();
  let sweptAt = -Infinity;

  async function look(): Promise<void> {
    if (performance.now() - ledSince < settleMs) return;
    const dead = await replicas.dead();
    if (dead.length === 0 && performance.now() - sweptAt < sweepEveryMs) return;
    await transfers.endOfDeadReplicas(Date.now());
    for (const id of dead) await replicas.end(id);
    sweptAt = performance.now();
    if (dead.length > 0) log.warn({ replicas: dead }, 'replicas have died; their transfers were ended');
  }

  return repeatedly(lookEveryMs, look, (error) => log.warn({ err: error }, 'transfers of dead replicas not ended'));
}
