import { readFileSync } from 'node:fs';
import { errorCode } from '../common/error-code.ts';

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
