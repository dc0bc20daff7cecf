import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

const ownThreads = '/proc/self/task';
const thisThread = 0;
// Before the threads of fetching, because others read and write through the pool as well.
const poolPriority = 5;

/**
 * Lets a window come before this thread, before those that it starts, and before the pool of the process, which writes what is fetched. On Linux a thread has a
 * priority of its own; elsewhere this would be about the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  lowerPriority(thisThread, os.constants.priority.PRIORITY_BELOW_NORMAL);
  for (const thread of readdirSync(ownThreads)) {
    try {
      if (readFileSync(`${ownThreads}/${thread}/comm`, 'utf8') === 'libuv-worker\n')
        lowerPriority(Number(thread), poolPriority);
    } catch {
      // It has ended.
    }
  }
}

/** What is lower already stays: nobody but root may raise it, and nobody wants to. */
function lowerPriority(thread: number, priority: number): void {
  if (os.getPriority(thread) < priority) os.setPriority(thread, priority);
}
