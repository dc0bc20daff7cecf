import type { FetchManyRequest, FetchManyResult } from '../contract/fetch-many.ts';
import { HttpProblem } from '../common/problem.ts';
import type { FetchQueue } from './queue/fetch-queue.ts';
import type { NewFetch } from './store/fetch-row.ts';
import { newFetch } from './new-fetch.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { ServerStores } from '../servers/stores.ts';
import type { FetchStores } from './store/stores.ts';

type Result = FetchManyResult['results'][number];

/**
 * Rows per transaction. Later checks see the stored rows, and the event loop runs between batches.
 */
const batchSize = 50;

export interface AddingSteps {
  /** Called after each batch with the number of measurements that have a result. */
  readonly onProgress: (done: number) => void;
  /** Checked at first and between batches. */
  readonly cancelled: AbortSignal;
}

/**
 * Adds many fetches, each checked like a single one. A refused fetch does not stop the others.
 *
 * @returns one result per measurement, in request order
 */
export async function addMany(
  services: ServerStores & Pick<FetchStores, 'fetches'> & { readonly config: ServiceConfig },
  queue: Pick<FetchQueue, 'addAll' | 'shape'>,
  { measurements, key: _key, ...shared }: FetchManyRequest,
  { onProgress, cancelled }: AddingSteps,
): Promise<readonly Result[]> {
  const results = measurements.map(({ id }): Result => ({ measurement_id: id, fetch: null, problem: null }));
  if (cancelled.aborted) return results;
  let batch: { readonly input: NewFetch; readonly at: number }[] = [];

  async function store(): Promise<void> {
    if (batch.length === 0) return;
    const rows = await queue.addAll(batch.map(({ input }) => input));
    for (const [nth, { at, input }] of batch.entries()) {
      const row = rows[nth];
      results[at] = { measurement_id: input.measurementId, fetch: row ? queue.shape(row) : null, problem: null };
    }
    batch = [];
  }

  for (const [at, { id, title }] of measurements.entries()) {
    const request = { ...shared, measurement_id: id, ...(title === undefined ? {} : { title }) };
    try {
      let input = await newFetch(services, request);
      if (batch.some(({ input: { target } }) => target === input.target)) {
        // The target is already in this batch: store it first, so that the check can see its row.
        await store();
        input = await newFetch(services, request);
      }
      batch.push({ input, at });
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      results[at] = {
        measurement_id: id,
        fetch: null,
        problem: { status: error.status, type: error.type ?? null, detail: error.message },
      };
    }
    if ((at + 1) % batchSize !== 0 && at + 1 < measurements.length) continue;
    await store();
    onProgress(at + 1);
    if (cancelled.aborted) break;
  }
  return results;
}
