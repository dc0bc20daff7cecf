import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

const ownThreads = '/proc/self/task';
const thisThread = 0;
// Lower than the fetch threads, because the pool also reads and writes for others.
const poolPriority = 5;

/**
 * Lowers the priority of this thread, of threads it starts later, and of the process's thread pool,
 * which writes the fetched bytes, so that windows stay responsive. Linux only: elsewhere the
 * priority applies to the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  lowerPriority(thisThread, os.constants.priority.PRIORITY_BELOW_NORMAL);
  for (const thread of readdirSync(ownThreads)) {
    try {
      if (readFileSync(`${ownThreads}/${thread}/comm`, 'utf8') === 'libuv-worker\n')
        lowerPriority(Number(thread), poolPriority);
    } catch {
      // The thread has ended.
    }
  }
}

/** Never raises a priority, which only root may do. */
function lowerPriority(thread: number, priority: number): void {
  if (os.getPriority(thread) < priority) os.setPriority(thread, priority);
}
