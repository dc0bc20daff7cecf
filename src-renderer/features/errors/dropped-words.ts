import type { Intake } from '../../api/error-queries.ts';
import { countOf, formatCount } from '../../ui/format/quantities.ts';

/** Reasons for which an event was lost. What came twice, or is of no kind that is kept here, is no loss. */
const reasonWords: Readonly<Record<string, string>> = {
  'rate-limit': 'more came than is taken in that time',
  busy: 'the service was busy',
  'too-large': 'too large',
  malformed: 'not readable',
  'too-many-items': 'too many in one request',
};

/** What to say about dropped events of the last 24 hours; null when none was. */
export function droppedWords(intake: Intake | undefined): string | null {
  const sums = new Map<string, number>();
  for (const { dropped } of intake?.hours.slice(-24) ?? []) {
    for (const [reason, count] of Object.entries(dropped)) if (reasonWords[reason] !== undefined) sums.set(reason, (sums.get(reason) ?? 0) + count);
  }
  const total = [...sums.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const parts = [...sums].toSorted(([, one], [, other]) => other - one).map(([reason, count]) => `${formatCount(count)}: ${reasonWords[reason] ?? reason}`);
  return `${countOf(total, 'event')} of the last 24 hours ${total === 1 ? 'was' : 'were'} dropped (${parts.join('; ')}). Counts below are without ${total === 1 ? 'it' : 'them'}.`;
}
