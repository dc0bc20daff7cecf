import { DownloadConnection } from '../../../http-client/download-connection.ts';
import type { FileCommitter } from './commit-files.ts';
import { ConnectionScaler } from './connection-scaling.ts';
import type { FetchContext } from './fetch-context.ts';
import type { FetchWork, Task } from './fetch-work.ts';
import { smallBytes } from './limits.ts';
import { Share } from './share.ts';
import { fetchSmallFile } from './small-file.ts';

/** The connections of a run, each of which performs one task after the other. */
export class FetchConnections {
  readonly #context: FetchContext;
  readonly #work: FetchWork;
  readonly #committer: FileCommitter;
  readonly #scaler: ConnectionScaler;
  readonly #open = new Set<Promise<void>>();
  #running = 0;
  #isDone = false;

  constructor(context: FetchContext, work: FetchWork, committer: FileCommitter) {
    [this.#context, this.#work, this.#committer] = [context, work, committer];
    this.#scaler = new ConnectionScaler(context.plan.connections);
  }

  /** Resolves when no task is left, or the run has been aborted. */
  async run(): Promise<void> {
    this.#openMore();
    while (this.#open.size > 0) {
      await Promise.race(this.#open);
      this.#openMore();
    }
  }

  /** Adapts the number of connections to their throughput; call it several times a second. */
  scale(): void {
    const { bytesReceived, filesReceived } = this.#context.counters;
    this.#scaler.sample(bytesReceived, filesReceived);
    this.#openMore();
  }

  #openMore(): void {
    const { signal, fail } = this.#context;
    while (!this.#isDone && !signal.aborted && this.#running < this.#scaler.wanted) {
      this.#running += 1;
      const connection = this.#runConnection()
        .catch(fail)
        .finally(() => this.#open.delete(connection));
      this.#open.add(connection);
    }
  }

  async #runConnection(): Promise<void> {
    const { client, isLimited, counters } = this.#context;
    const connection = new DownloadConnection(client, isLimited);
    const share = new Share();
    let rate = 0;
    try {
      while (this.#running <= this.#scaler.wanted) {
        const task = await this.#work.take(rate, this.#scaler.wanted);
        if (!task) {
          this.#isDone = true;
          return;
        }
        const [since, before] = [performance.now(), counters.bytesReceived];
        counters.connections += 1;
        const goesOn = await this.#performAll(task, connection, share);
        counters.connections -= 1;
        // The connection's share: the rate of all connections divided by their number.
        const elapsedMs = Math.max(1, performance.now() - since);
        rate = (((counters.bytesReceived - before) / elapsedMs) * 1000) / this.#running;
        if (!goesOn) {
          this.#scaler.reduce(this.#running);
          return;
        }
      }
    } finally {
      connection.close();
      this.#running -= 1;
    }
  }

  /**
   * Performs a task, and pipelines more behind a small file. @returns whether to keep the
   * connection
   */
  async #performAll(first: Task, connection: DownloadConnection, share: Share): Promise<boolean> {
    const state = { going: 0, bytes: 0, goesOn: true, ended: Promise.withResolvers<void>() };
    const begin = async (task: Task, bytes: number): Promise<void> => {
      state.going += 1;
      state.bytes += bytes;
      if (!(await this.#perform(task, connection, share))) state.goesOn = false;
      state.bytes -= bytes;
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
        this.#running <= this.#scaler.wanted &&
        state.going < connection.pipelineDepth
      ) {
        const next = this.#work.takeBehind(smallBytes - state.bytes);
        if (!next) break;
        void begin(next, next.file.length);
      }
    }
    return state.goesOn;
  }

  /** @returns whether to keep the connection */
  async #perform(task: Task, connection: DownloadConnection, share: Share): Promise<boolean> {
    const error = await this.#attempt(task, connection, share);
    try {
      return !(await this.#work.ended(task, error, this.#running));
    } catch (ends) {
      this.#context.fail(ends);
      return false;
    }
  }

  /** @returns the error it failed with, or null */
  async #attempt(task: Task, connection: DownloadConnection, share: Share): Promise<unknown> {
    try {
      if (task.kind === 'small') await fetchSmallFile(this.#context, connection, this.#committer, task.file);
      else await task.of.fetch(task.segment, connection, share);
      return null;
    } catch (error) {
      return error;
    }
  }
}
