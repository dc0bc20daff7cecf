import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A server that runs in separate processes. */
export interface Server {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Processor time of all of its processes so far. */
  cpuSeconds(): number;
  /** Pins all of its threads to these cores, such as `0` or `0-1`. */
  pin(cores: string): void;
  stop(): Promise<void>;
}

/** Reads and controls a server's process and its children. */
export function processTools(pid: number): Pick<Server, 'pid' | 'cpuSeconds' | 'pin'> {
  return {
    pid,
    cpuSeconds: () => family(pid).reduce((sum, one) => sum + cpuOf(one), 0),
    pin: (cores) => {
      for (const one of family(pid))
        execFileSync('taskset', ['-a', '-c', '-p', cores, String(one)], { stdio: 'ignore' });
    },
  };
}

/** Resident memory of one process, bytes. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024;
}

/** Bytes that a process has read by system calls so far, sockets included. */
export function bytesRead(pid: number): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN);
}

function family(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number);
  return [pid, ...children.filter((child) => child > 0).flatMap(family)];
}

// proc_pid_stat(5): fields 14 and 15, after the name in brackets; a tick is 10 ms on every Linux
// that Node runs on.
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
