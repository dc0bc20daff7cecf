import { toApiError } from '../../api/problem.ts';
import type { Fetch, FetchManyRequest, FetchManyResult } from '../../api/types.ts';

/** How far adding many fetches has come. */
export interface Adding {
  readonly total: number;
  readonly added: readonly Fetch[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
  /** Neither added nor refused: it was cancelled, or the service failed before their turn. */
  readonly left: number;
  /** Why it ended before its end; null otherwise. */
  readonly failure: string | null;
}

/** Of one request: answered in a moment, so that progress is seen, and cancelling it means what it says. */
const atOnce = 50;

/** Adds many fetches, some at a time. Stops between two requests when it is cancelled; what was added by then stays. */
export async function addMany(
  request: FetchManyRequest,
  send: (slice: FetchManyRequest) => Promise<FetchManyResult>,
  onProgress: (adding: Adding) => void,
  cancelled: AbortSignal,
): Promise<Adding> {
  const total = request.measurements.length;
  const added: Fetch[] = [];
  const refused: { id: string; reason: string }[] = [];
  let failure: string | null = null;
  const now = (done: number): Adding => ({ total, added: [...added], refused: [...refused], left: total - done, failure });
  for (let at = 0; at < total; at += atOnce) {
    if (cancelled.aborted) return now(at);
    try {
      const { results } = await send({ ...request, measurements: request.measurements.slice(at, at + atOnce) });
      for (const { measurement_id: id, fetch, problem } of results) {
        if (fetch !== null) added.push(fetch);
        else refused.push({ id, reason: problem?.detail ?? '' });
      }
    } catch (error) {
      failure = toApiError(error).message;
      return now(at);
    }
    onProgress(now(Math.min(total, at + atOnce)));
  }
  return now(total);
}

/** The reasons of refusals, the most frequent first, each with the measurements that it is about. */
export function byReason(refused: Adding['refused']): readonly { readonly reason: string; readonly ids: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { reason, id } of refused) groups.set(reason, [...(groups.get(reason) ?? []), id]);
  return [...groups].map(([reason, ids]) => ({ reason, ids })).toSorted((a, b) => b.ids.length - a.ids.length);
}
