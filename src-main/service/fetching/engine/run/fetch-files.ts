import type { FetchContext } from './fetch-context.ts';
import { FetchWork, type Task } from './fetch-work.ts';
import { DownloadConnection } from '../../../http-client/download-connection.ts';
import { ConnectionScaler } from './connection-scaling.ts';
import { FileCommitter } from './commit-files.ts';
import { fetchSmallFile } from './small-file.ts';
import { smallBytes } from './limits.ts';
import { RetryPolicy } from './retry-policy.ts';
import { Share } from './share.ts';

const scaleEveryMs = 100;

/**
 * Fetches all open files over connections that take one task after the other.
 *
 * @throws the error that ended the run early, or the last error if files were left for the next
 * run.
 */
export async function fetchFiles(context: FetchContext): Promise<void> {
  const { counters, plan, signal } = context;
  const committer = new FileCommitter(context);
  const retryPolicy = new RetryPolicy(context);
  const work = new FetchWork(context, committer, retryPolicy);
  const scaler = new ConnectionScaler(plan.connections);
  const connections = new Set<Promise<void>>();
  let running = 0;
  let isDone = false;

  function open(): void {
    while (!isDone && !signal.aborted && running < scaler.wanted) {
      running += 1;
      const connection = runConnection()
        .catch((error: unknown) => context.fail(error))
        .finally(() => connections.delete(connection));
      connections.add(connection);
    }
  }

  async function runConnection(): Promise<void> {
    const connection = new DownloadConnection(context.client, context.isLimited);
    const share = new Share();
    let rate = 0;
    try {
      while (running <= scaler.wanted) {
        const task = await work.take(rate, scaler.wanted);
        if (!task) {
          isDone = true;
          return;
        }
        const [since, before] = [performance.now(), counters.bytesReceived];
        counters.connections += 1;
        const goesOn = await performAll(task, connection, share);
        counters.connections -= 1;
        // The connection's share: the rate of all connections divided by their number.
        rate = (((counters.bytesReceived - before) / Math.max(1, performance.now() - since)) * 1000) / running;
        if (!goesOn) {
          scaler.reduce(running);
          return;
        }
      }
    } finally {
      connection.close();
      running -= 1;
    }
  }

  /**
   * Performs a task, and pipelines more behind a small file. @returns whether to keep the
   * connection
   */
  async function performAll(first: Task, connection: DownloadConnection, share: Share): Promise<boolean> {
    const state = { going: 0, bytes: 0, goesOn: true, ended: Promise.withResolvers<void>() };
    const begin = async (task: Task, bytes: number): Promise<void> => {
      state.going += 1;
      state.bytes += bytes;
      const error = await perform(task, connection, share);
      state.bytes -= bytes;
      try {
        if (await work.ended(task, error, running)) state.goesOn = false;
      } catch (ends) {
        context.fail(ends);
        state.goesOn = false;
      }
      state.going -= 1;
      state.ended.resolve();
    };
    void begin(first, first.file.length ?? 0);
    while (state.going > 0) {
      await state.ended.promise;
      state.ended = Promise.withResolvers();
      while (
        first.kind === 'small' &&
        state.goesOn &&
        running <= scaler.wanted &&
        state.going < connection.pipelineDepth
      ) {
        const next = work.takeBehind(smallBytes - state.bytes);
        if (!next) break;
        void begin(next, next.file.length);
      }
    }
    return state.goesOn;
  }

  async function perform(task: Task, connection: DownloadConnection, share: Share): Promise<unknown> {
    try {
      if (task.kind === 'small') await fetchSmallFile(context, connection, committer, task.file);
      else await task.of.fetch(task.segment, connection, share);
      return null;
    } catch (error) {
      return error;
    }
  }

  const timer = setInterval(() => {
    scaler.sample(counters.bytesReceived, counters.filesReceived);
    counters.hashing = work.hashed;
    counters.phase = work.isVerifying ? 'verifying' : 'fetching';
    open();
  }, scaleEveryMs);
  try {
    counters.phase = 'fetching';
    open();
    while (connections.size > 0) {
      await Promise.race(connections);
      open();
    }
  } finally {
    clearInterval(timer);
    await work.close();
    counters.hashing = 0;
  }
  signal.throwIfAborted();
  if (retryPolicy.lastError) throw retryPolicy.lastError;
}
