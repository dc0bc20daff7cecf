import { inSteps } from './in-steps.ts';
import type { StepLimits } from './port/database.ts';
import { maxCounted, type Total } from './totals.ts';

/**
 * A position in a sorted list: the value of the sorted column, and an id to order rows with equal
 * values.
 */
export interface Place<Id extends string | number> {
  readonly key: string | number;
  readonly id: Id;
}

export interface Walk<Id extends string | number> {
  /** Of the database that is read. */
  readonly steps: StepLimits;
  /** The next rows of the list in its order, after a position or from the beginning. */
  readonly places: (after: Place<Id> | null, size: number) => Promise<readonly Place<Id>[]>;
  /** The ids of those that match. */
  readonly fitting: (ids: readonly Id[]) => Promise<readonly Id[]>;
  readonly after: Place<Id> | null;
  readonly limit: number;
  readonly offset: number;
  /** Whether rows after the page are read too, to count the matches. */
  readonly counts: boolean;
  /** The walk ends after this many rows, and the total says so. */
  readonly maxRows?: number;
}

export interface FoundPage<Id extends string | number> {
  readonly places: readonly Place<Id>[];
  readonly total: Total;
  /** The position after which the next page starts; null on the last page. */
  readonly next: Place<Id> | null;
}

// Maximum number of rows to read after the page is full, only to count matches.
const maxWalkedToCount = 20_000;
const rowsPerPage = 500;

/**
 * Walks a list in its order and collects the matching rows of a page, in steps between which the
 * event loop serves other requests.
 */
export async function walkList<Id extends string | number>({
  steps,
  places,
  fitting,
  limit,
  offset,
  counts,
  maxRows: most = Number.POSITIVE_INFINITY,
  ...from
}: Walk<Id>): Promise<FoundPage<Id>> {
  const found: Place<Id>[] = [];
  let after = from.after;
  let walked = 0;
  let counted = 0;
  let ended = false;
  let maxToWalk = most;
  await inSteps(steps, rowsPerPage, async (size) => {
    const looked = await places(after, size);
    const fits = new Set(await fitting(looked.map(({ id }) => id)));
    for (const place of looked) {
      if (!fits.has(place.id)) continue;
      counted += 1;
      if (counted > offset && found.length < limit) found.push(place);
    }
    walked += looked.length;
    after = looked.at(-1) ?? after;
    ended = looked.length < size;
    if (found.length === limit && maxToWalk === most)
      maxToWalk = counts ? Math.min(most, walked + maxWalkedToCount) : walked;
    return !ended && counted <= maxCounted && walked < maxToWalk;
  });
  const over = ended && counted <= offset + limit;
  // The next page starts after the last row of a full page, otherwise after the last row that was
  // read.
  const next = over ? null : found.length === limit ? (found.at(-1) ?? null) : after;
  return {
    places: found,
    total: { count: Math.min(counted, maxCounted), complete: ended && from.after === null && counted <= maxCounted },
    next,
  };
}
