import { Deferred } from '../deferred.ts';
import type { FetchContext } from './fetch-context.ts';
import { FetchWork, type Task } from './fetch-work.ts';
import { Lane } from '../http/lane.ts';
import { Pace } from './pace.ts';
import { FileSettler } from './settle-files.ts';
import { fetchSmallFile, smallBytes } from './small-file.ts';
import { Troubles } from './troubles.ts';

const looksEvery = 100;

/**
 * Fetches all open files over connections that each take one piece of work after the other.
 *
 * @throws what ended the run before everything was tried; the last trouble when files were left for later.
 */
export async function fetchFiles(context: FetchContext): Promise<void> {
  const { counters, plan, signal } = context;
  const settler = new FileSettler(context);
  const troubles = new Troubles(context);
  const work = new FetchWork(context, settler, troubles);
  const pace = new Pace(plan.connections);
  const lanes = new Set<Promise<void>>();
  let running = 0;
  let isDone = false;

  function open(): void {
    while (!isDone && !signal.aborted && running < pace.wanted) {
      running += 1;
      const lane = runLane()
        .catch((error: unknown) => context.fail(error))
        .finally(() => lanes.delete(lane));
      lanes.add(lane);
    }
  }

  async function runLane(): Promise<void> {
    const lane = new Lane(context.asker, context.isLimited);
    let rate = 0;
    try {
      while (running <= pace.wanted) {
        const task = await work.take(rate, pace.wanted);
        if (!task) {
          isDone = true;
          return;
        }
        const [since, before] = [performance.now(), counters.bytesReceived];
        counters.connections += 1;
        const goesOn = await performAll(task, lane);
        counters.connections -= 1;
        // What came meanwhile on all connections, shared fairly.
        rate = (((counters.bytesReceived - before) / Math.max(1, performance.now() - since)) * 1000) / running;
        if (!goesOn) {
          pace.lower(running);
          return;
        }
      }
    } finally {
      lane.close();
      running -= 1;
    }
  }

  /** Performs a task, and behind a small file more of them while the connection takes them. @returns whether the connection goes on */
  async function performAll(first: Task, lane: Lane): Promise<boolean> {
    const state = { going: 0, bytes: 0, goesOn: true, ended: new Deferred<void>() };
    const begin = async (task: Task, bytes: number): Promise<void> => {
      state.going += 1;
      state.bytes += bytes;
      const error = await perform(task, lane);
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
      state.ended = new Deferred();
      while (first.kind === 'small' && state.goesOn && running <= pace.wanted && state.going < lane.atOnce) {
        const next = work.takeBehind(smallBytes - state.bytes);
        if (!next) break;
        void begin(next, next.file.length);
      }
    }
    return state.goesOn;
  }

  async function perform(task: Task, lane: Lane): Promise<unknown> {
    try {
      if (task.kind === 'small') await fetchSmallFile(context, lane, settler, task.file);
      else await task.of.fetch(task.segment, lane);
      return null;
    } catch (error) {
      return error;
    }
  }

  const timer = setInterval(() => {
    pace.look(counters.bytesReceived, counters.filesReceived);
    counters.hashing = work.hashed;
    counters.phase = work.isVerifying ? 'verifying' : 'fetching';
    open();
  }, looksEvery);
  try {
    counters.phase = 'fetching';
    open();
    while (lanes.size > 0) {
      await Promise.race(lanes);
      open();
    }
  } finally {
    clearInterval(timer);
    await work.close();
    counters.hashing = 0;
  }
  signal.throwIfAborted();
  if (troubles.last) throw troubles.last;
}
