import { readFileSync } from 'node:fs';
import type { ListenerLimits } from './listener-limits.ts';

// The program itself, its database, log and threads.
const reserved = 64;
// A connection that downloads has a file open beside it.
const perConnection = 2;
const minConnections = 16;

/** How many files and connections this process may have open (getrlimit(2), RLIMIT_NOFILE; Node has raised it as far as it may). Null where that is not known. */
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
 * Limits with no more connections than there are descriptors for.
 *
 * @param descriptors what the process may have open; null where it is not known.
 * @param share of all connections that this door may have, up to 1.
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
