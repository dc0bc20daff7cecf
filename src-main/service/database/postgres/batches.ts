import { setTimeout } from 'node:timers/promises';
import type { Transaction } from '../port/database.ts';
import { isLockTimeout, isUnreachable } from './failures.ts';

interface Pending<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Time for more work to come when none is being written. */
const gatherMs = 3;
const maxWeight = 250;

/** Runs a body between BEGIN and COMMIT. */
type Run = <Result>(body: () => Transaction<Result>) => Promise<Result>;

/**
 * Gathers work while the work before it is written, one transaction for each batch. A batch that
 * fails is tried again in halves, so that one piece of work that cannot be done fails alone; behind
 * a lock all of it fails at once, because each half would wait for the lock as long.
 */
export function batched<Item, Result>(
  transaction: Run,
  body: (items: readonly Item[]) => Transaction<readonly Result[]>,
  weightOf: (item: Item) => number,
): (item: Item) => Promise<Result> {
  const waiting: Pending<Item, Result>[] = [];
  let draining = false;

  async function commit(batch: readonly Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await transaction(() => body(batch.map(({ item }) => item)));
      for (const [at, one] of batch.entries()) one.resolve(results[at] as Result);
    } catch (error) {
      if (batch.length === 1 || isUnreachable(error) || isLockTimeout(error)) {
        for (const one of batch) one.reject(error);
        return;
      }
      const middle = batch.length >> 1;
      await commit(batch.slice(0, middle));
      await commit(batch.slice(middle));
    }
  }

  async function drain(): Promise<void> {
    draining = true;
    await setTimeout(gatherMs);
    while (waiting.length > 0)
      await commit(
        waiting.splice(
          0,
          fitting(waiting, ({ item }) => weightOf(item)),
        ),
      );
    draining = false;
  }

  return async (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!draining) void drain();
    });
}

/** The number of leading pieces of work that fit into one transaction; at least one. */
function fitting<One>(queue: readonly One[], weightOf: (one: One) => number): number {
  let weight = 0;
  const beyond = queue.findIndex((one) => {
    weight += weightOf(one);
    return weight > maxWeight;
  });
  return beyond < 0 ? queue.length : Math.max(1, beyond);
}
