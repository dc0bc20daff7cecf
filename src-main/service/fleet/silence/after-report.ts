import { benchTransitions, type BenchEvent, type BenchState } from '../../../../src-shared/states/bench-states.ts';
import { nextOf } from '../../../../src-shared/states/transitions.ts';
import { withAbsence, type Absence } from './usual-silence.ts';

/** The columns of a bench that change with its state. */
export interface BenchCondition {
  readonly state: BenchState;
  readonly since: number;
  /** When it was last heard before it was missed. */
  readonly missed_since: number | null;
  readonly absences: readonly Absence[];
}

/** The condition after a report or a goodbye; an absence that ends is remembered. */
export function afterReport(
  before: BenchCondition,
  event: Extract<BenchEvent, 'report' | 'close' | 'sleep'>,
  now: number,
): BenchCondition {
  const state = nextOf(benchTransitions, before.state, event);
  if (state === null) return before;
  // The server was at fault then.
  const wasAbsent = before.state !== 'reporting' && before.state !== 'unheard';
  const absence = {
    from: before.missed_since ?? before.since,
    until: now,
    announced: before.state === 'closed' || before.state === 'asleep',
    told: before.state === 'silent',
  };
  const absences = wasAbsent ? withAbsence(before.absences, absence, now) : before.absences;
  return { state, since: now, missed_since: null, absences };
}

/** The condition after a judgement; the same when a report overtook it. */
export function afterJudgement(
  before: BenchCondition,
  event: Extract<BenchEvent, 'miss' | 'mute' | 'overdue'>,
  lastHeardAt: number,
  now: number,
): BenchCondition {
  const state = nextOf(benchTransitions, before.state, event);
  return state === null ? before : { ...before, state, since: now, missed_since: before.missed_since ?? lastHeardAt };
}
