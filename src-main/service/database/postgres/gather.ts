import { setTimeout } from 'node:timers/promises';
import type { Database, Gathered, Transaction } from '../port/database.ts';

interface Pending {
  readonly body: (state: unknown) => Transaction<unknown>;
  readonly weight: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Time for more work to come; a commit takes longer. */
const gatherMs = 5;
const maxBatch = 250;

/** Groups work of one kind into transactions, with what it defers at their end. */
export function gatherer(transaction: Database['transaction']): Database['gathered'] {
  const queues = new WeakMap<object, Pending[]>();

  async function commit(gathered: Gathered<unknown>, batch: readonly Pending[]): Promise<void> {
    try {
      const results = await transaction(function* () {
        const state = gathered.begin();
        const found: unknown[] = [];
        for (const { body } of batch) found.push(yield* body(state));
        yield* gathered.end(state);
        return found;
      });
      for (const [at, one] of batch.entries()) one.resolve(results[at]);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // One piece of work that cannot be done fails alone.
      else for (const one of batch) await commit(gathered, [one]);
    }
  }

  async function drain(gathered: Gathered<unknown>, queue: Pending[]): Promise<void> {
    await setTimeout(gatherMs);
    while (queue.length > 0) await commit(gathered, queue.splice(0, fitting(queue)));
    queues.delete(gathered);
  }

  return async (body, gathered, weight = 1) =>
    new Promise((resolve, reject) => {
      const key = gathered as Gathered<unknown>;
      const pending = { body, weight, resolve, reject } as Pending;
      const queue = queues.get(key);
      if (queue) queue.push(pending);
      else {
        const started = [pending];
        queues.set(key, started);
        void drain(key, started);
      }
    });
}

/** The number of leading pieces of work that fit into one transaction. */
function fitting(queue: readonly Pending[]): number {
  let weight = 0;
  const beyond = queue.findIndex((one) => {
    weight += one.weight;
    return weight > maxBatch;
  });
  return beyond < 0 ? queue.length : Math.max(1, beyond);
}
