import { readFileSync } from 'node:fs';
import os from 'node:os';

/** Processor time of other programs during a measurement, as a share of all processors. */
export interface LoadWatch {
  /** @param ours Processor seconds of the servers since the start. */
  othersSince(ours: number): number;
}

const ticksPerSecond = 100;

/**
 * Starts a measurement: the machine's processor time without that of this process and its ended
 * children.
 */
export function watchLoad(): LoadWatch {
  const before = { busy: busySeconds(), own: ownSeconds(), at: performance.now() };
  return {
    othersSince: (ours) => {
      const available = ((performance.now() - before.at) / 1000) * os.availableParallelism();
      return Math.max(0, busySeconds() - before.busy - (ownSeconds() - before.own) - ours) / available;
    },
  };
}

// proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal. Stolen time counts as that
// of others.
function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / ticksPerSecond;
}

// proc_pid_stat(5), fields 14 to 17: user and system time of this process, and of its children that
// have ended.
function ownSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  return fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
}
