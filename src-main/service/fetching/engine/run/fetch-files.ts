import { FileCommitter } from './commit-files.ts';
import { FetchConnections } from './fetch-connections.ts';
import type { FetchContext } from './fetch-context.ts';
import { FetchWork } from './fetch-work.ts';
import { RetryPolicy } from './retry-policy.ts';

const scaleEveryMs = 100;

/**
 * Fetches all open files over connections that take one task after the other.
 *
 * @throws the error that ended the run early, or the last error if files were left for the next
 * run.
 */
export async function fetchFiles(context: FetchContext): Promise<void> {
  const { counters, signal } = context;
  const committer = new FileCommitter(context);
  const retryPolicy = new RetryPolicy(context);
  const work = new FetchWork(context, committer, retryPolicy);
  const connections = new FetchConnections(context, work, committer);
  const timer = setInterval(() => {
    counters.hashing = work.hashed;
    counters.phase = work.isVerifying ? 'verifying' : 'fetching';
    connections.scale();
  }, scaleEveryMs);
  try {
    counters.phase = 'fetching';
    await connections.run();
  } finally {
    clearInterval(timer);
    await work.close();
    counters.hashing = 0;
  }
  signal.throwIfAborted();
  if (retryPolicy.lastError) throw retryPolicy.lastError;
}
