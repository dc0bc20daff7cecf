import { readFileSync } from 'node:fs';
import { errorCode } from '../common/error-code.ts';
import type { ReplicaIdentity } from '../database/cluster/cluster.ts';
import { parametersOf } from './job-work.ts';
import type { JobRow } from './jobs-store.ts';

/** Identifies this process beyond its id, because process ids are reused. */
export function thisProcess(): string {
  return nameOf(process.pid);
}

/** Whether the process with this identity is still running. */
export function isAlive(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  const pid = Number(name.split(' ')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  return nameOf(pid) === name;
}

/** Whether another process works on a job, as far as its row says. */
export function runsElsewhere(job: JobRow, replica: ReplicaIdentity | null): boolean {
  // Whether a command on another machine lives cannot be known.
  if (replica !== null) return job.replica_id === null ? job.state === 'running' : job.replica_id !== replica.id;
  const owner = (parametersOf(job) as { process?: string }).process;
  return owner !== undefined && owner !== thisProcess() && isAlive(owner);
}

function nameOf(pid: number): string {
  if (process.platform !== 'linux') return String(pid);
  try {
    // The start time since boot is field 22; the name before it may contain spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${pid} ${started} ${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}`;
  } catch {
    return String(pid);
  }
}
