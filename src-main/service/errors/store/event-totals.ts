import type { EventCounts, EventPeriod } from '../../contract/error-overview.ts';
import { isoTime } from '../../common/iso-time.ts';
import { isRefusal } from '../normalise/ingest-failure.ts';
import type { ErrorStores } from './stores.ts';

const hour = 3600_000;
const periods: Readonly<Record<EventPeriod, { readonly stepHours: number; readonly steps: number }>> = {
  '24h': { stepHours: 1, steps: 24 },
  '14d': { stepHours: 1, steps: 14 * 24 },
  '90d': { stepHours: 24, steps: 90 },
};

/**
 * Counts the events of a project that were received and refused, for each step of a period. Reads
 * by primary key: one row per hour and outcome.
 */
export async function eventTotals(
  deps: Pick<ErrorStores, 'intake'>,
  projectId: number,
  period: EventPeriod,
): Promise<EventCounts> {
  const { stepHours, steps } = periods[period];
  const thisStep = Math.floor(Date.now() / (stepHours * hour));
  const first = thisStep - steps + 1;
  const accepted = Array.from<number>({ length: steps }).fill(0);
  const refused = Array.from<number>({ length: steps }).fill(0);
  for (const row of await deps.intake.since(projectId, first * stepHours)) {
    const step = Math.floor(row.hour / stepHours) - first;
    const counts = row.outcome === 'accepted' ? accepted : isRefusal(row.outcome) ? refused : null;
    // A clock that was set back has left rows with hours in the future.
    if (counts !== null && step < steps) counts[step] = (counts[step] ?? 0) + row.count;
  }
  return {
    step_hours: stepHours,
    steps: accepted.map((count, step) => ({
      at: isoTime((first + step) * stepHours * hour),
      accepted: count,
      refused: refused[step] ?? 0,
    })),
  };
}
