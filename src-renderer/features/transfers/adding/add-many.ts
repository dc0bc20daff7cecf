import { toApiError } from '../../../api/requests/problem.ts';
import type { Fetch, FetchManyRequest, FetchManyResult } from '../../../api/requests/types.ts';

/** Progress of adding many fetches. */
export interface Adding {
  readonly total: number;
  readonly added: readonly Fetch[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
  /** Neither added nor refused, because of a cancellation or a failure of the service. */
  readonly left: number;
  /** Key of the running request, which events of its progress name; null when none runs. */
  readonly key: string | null;
  /** Why it stopped early; null otherwise. */
  readonly failure: string | null;
}

export interface AddManyDeps {
  readonly send: (part: FetchManyRequest) => Promise<FetchManyResult>;
  /** Cancels the request with this key; its response contains what was added until then. */
  readonly cancel: (key: string) => Promise<void>;
  readonly onProgress: (adding: Adding) => void;
  readonly cancelled: AbortSignal;
}

/** The service's maximum per request (`maxFetchesAtOnce` of its contract). */
const batchSize = 1000;

/**
 * Adds many fetches, up to a thousand with each request. Fetches added before a cancellation stay.
 */
export async function addMany(
  request: FetchManyRequest,
  { send, cancel, onProgress, cancelled }: AddManyDeps,
): Promise<Adding> {
  const total = request.measurements.length;
  const added: Fetch[] = [];
  const refused: { id: string; reason: string }[] = [];
  let key: string | null = null;
  let failure: string | null = null;
  const now = (): Adding => ({
    total,
    added: [...added],
    refused: [...refused],
    left: total - added.length - refused.length,
    key,
    failure,
  });
  cancelled.addEventListener('abort', () => {
    // If it fails, all were added already or the service is away: the response of the request shows
    // which.
    if (key !== null) void cancel(key).catch(() => {});
  });
  for (let at = 0; at < total && !cancelled.aborted; at += batchSize) {
    key = `${Date.now()}.${at}`;
    onProgress(now());
    try {
      const { results } = await send({ ...request, measurements: request.measurements.slice(at, at + batchSize), key });
      for (const { measurement_id: id, fetch, problem } of results) {
        if (fetch !== null) added.push(fetch);
        else if (problem !== null) refused.push({ id, reason: problem.detail });
      }
    } catch (error) {
      failure = toApiError(error).message;
      break;
    }
  }
  key = null;
  return now();
}

/** The reasons of refusals, the most frequent first, each with its measurements. */
export function byReason(
  refused: Adding['refused'],
): readonly { readonly reason: string; readonly ids: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { reason, id } of refused) groups.set(reason, [...(groups.get(reason) ?? []), id]);
  return [...groups].map(([reason, ids]) => ({ reason, ids })).toSorted((a, b) => b.ids.length - a.ids.length);
}
