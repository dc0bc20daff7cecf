import type { Cluster } from '../../service/database/cluster/cluster.ts';
import { defaultAccessGraceMs, unconfirmedText } from '../../service/database/cluster/unconfirmed.ts';
import { note, type Terminal } from './terminal.ts';

/** Waits for the other replicas, and says which may still act on access that a command took away. */
export async function noteUnconfirmed(terminal: Terminal, cluster: Pick<Cluster, 'confirmChanges'>): Promise<void> {
  const replicas = await cluster.confirmChanges(defaultAccessGraceMs);
  if (replicas.length === 0) return;
  note(
    terminal,
    `Done, but not confirmed by every replica; running transfers there may go on: ${unconfirmedText(replicas, defaultAccessGraceMs)}`,
  );
}
