import type { UnconfirmedReplica } from '../../service/database/cluster/cluster.ts';
import { defaultAccessGraceMs, unconfirmedText } from '../../service/database/cluster/unconfirmed.ts';
import { note, type Terminal } from './terminal.ts';

/** Says which replicas may still act on access that a command took away. */
export function noteUnconfirmed(terminal: Terminal, replicas: readonly UnconfirmedReplica[]): void {
  if (replicas.length === 0) return;
  note(
    terminal,
    `Done, but not confirmed by every replica; running transfers there may go on: ${unconfirmedText(replicas, defaultAccessGraceMs)}`,
  );
}
