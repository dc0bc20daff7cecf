import type { UnconfirmedReplica } from './cluster.ts';

/** How long a replica goes on with running transfers after it last read changes of access. */
export const defaultAccessGraceMs = 10_000;

/** Names replicas that have not confirmed a change of access, and until when they may still send. */
export function unconfirmedText(replicas: readonly UnconfirmedReplica[], accessGraceMs: number): string {
  return replicas
    .map(({ name, seenAt }) => `${name}; until=${new Date(seenAt + accessGraceMs).toISOString()}`)
    .join(', ');
}
