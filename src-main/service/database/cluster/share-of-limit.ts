import type { Cluster } from './cluster.ts';

/** This process's part of a limit that each process counts for itself; at least 1. */
export function shareOfLimit(limit: number, cluster: Pick<Cluster, 'live'>): number {
  return Math.max(1, Math.floor(limit / cluster.live()));
}
