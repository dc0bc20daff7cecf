import type { Intake } from '../../../api/queries/error-queries.ts';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';

/**
 * Reasons for which an event is missing. Duplicates, and kinds that are only counted, are not
 * missing.
 */
const reasonWords: Readonly<Record<string, string>> = {
  busy: 'the service was busy',
  'too-large': 'too large',
  malformed: 'not readable',
  'too-many-items': 'too many in one request',
};

function refusals(intake: Intake | undefined): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { dropped } of intake?.hours.slice(-24) ?? []) {
    for (const [reason, count] of Object.entries(dropped)) {
      if (reason === 'rate-limit' || reasonWords[reason] !== undefined)
        sums.set(reason, (sums.get(reason) ?? 0) + count);
    }
  }
  return sums;
}

/** Events that were refused in the last 24 hours. */
export function refusedCount(intake: Intake | undefined): number {
  return [...refusals(intake).values()].reduce((sum, count) => sum + count, 0);
}

/** A sentence about refused events of the last 24 hours; null when there were none. */
export function refusedWords(intake: Intake | undefined): string | null {
  const total = refusedCount(intake);
  if (intake === undefined || total === 0) return null;
  const reasons = [...refusals(intake)].toSorted(([, one], [, other]) => other - one);
  const words = ([reason, count]: readonly [string, number]): string =>
    reason === 'rate-limit'
      ? `this project takes ${formatCount(intake.limit_per_second)} a second${reasons.length === 1 ? '' : ` (${formatCount(count)})`}`
      : `${reasonWords[reason] ?? reason}${reasons.length === 1 ? '' : ` (${formatCount(count)})`}`;
  return `${countOf(total, 'event')} ${total === 1 ? 'was' : 'were'} refused in the last 24 hours: ${reasons.map(words).join('; ')}. ${
    total === 1 ? 'It is' : 'They are'
  } not counted below.`;
}
