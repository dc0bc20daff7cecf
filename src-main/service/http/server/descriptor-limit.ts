import { readFileSync } from 'node:fs';
import type { ListenerLimits } from './listener-limits.ts';

// For the program itself, its database, log and threads.
const reserved = 64;
// A connection that downloads has a file open beside it.
const perConnection = 2;
const minConnections = 16;

/**
 * Maximum number of open files and connections of this process (getrlimit(2), RLIMIT_NOFILE; Node
 * has already raised it as far as it may); null where it is unknown.
 */
export function descriptorLimit(): number | null {
  try {
    // proc_pid_limits(5)
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/**
 * Lowers a limit of connections to the available descriptors.
 *
 * @param descriptors maximum of the process; null where it is unknown.
 * @param share of all connections that this listener may have, up to 1.
 */
export function withinDescriptors<Limits extends Pick<ListenerLimits, 'maxConnections'>>(
  limits: Limits,
  descriptors: number | null,
  share: number,
): Limits {
  if (descriptors === null) return limits;
  const maxConnections = Math.floor(((descriptors - reserved) / perConnection) * share);
  return { ...limits, maxConnections: Math.min(limits.maxConnections, Math.max(maxConnections, minConnections)) };
}
