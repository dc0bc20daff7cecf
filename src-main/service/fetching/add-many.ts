import type { FetchManyRequest, FetchManyResult } from '../contract/fetches.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import type { FetchQueue } from './fetch-queue.ts';
import type { NewFetch } from './fetch-row.ts';
import { newFetch } from './new-fetch.ts';

type Result = FetchManyResult['results'][number];

/** Rows of one transaction: what is checked after them sees them, and the event loop is free in between. */
const batchSize = 50;

/**
 * Adds many fetches, each checked as a single one is. One that is refused keeps no other from being added.
 *
 * @returns one result for each measurement, in the order of the request
 */
export async function addMany(
  services: Pick<Services, 'config' | 'fetches' | 'servers'>,
  queue: Pick<FetchQueue, 'addAll' | 'shape'>,
  { measurements, ...shared }: FetchManyRequest,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let batch: { readonly wish: NewFetch; readonly at: number }[] = [];

  async function store(): Promise<void> {
    const rows = await queue.addAll(batch.map(({ wish }) => wish));
    for (const [nth, { at, wish }] of batch.entries()) {
      const row = rows[nth];
      results[at] = { measurement_id: wish.measurementId, fetch: row ? queue.shape(row) : null, problem: null };
    }
    batch = [];
  }

  for (const [at, { id, title }] of measurements.entries()) {
    const request = { ...shared, measurement_id: id, ...(title === undefined ? {} : { title }) };
    try {
      let wish = await newFetch(services, request);
      if (batch.some(({ wish: { target } }) => target === wish.target)) {
        // The same folder twice: the first must be in the list before it can be told whether the second may be.
        await store();
        wish = await newFetch(services, request);
      }
      batch.push({ wish, at });
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      results[at] = { measurement_id: id, fetch: null, problem: { status: error.status, type: error.type ?? null, detail: error.message } };
    }
    if (batch.length >= batchSize) await store();
  }
  if (batch.length > 0) await store();
  return results;
}
