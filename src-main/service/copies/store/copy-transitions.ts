import { activeCopyStates, copyTransitions, type CopyEvent } from '../../../../src-shared/states/copy-states.ts';
import { statesBefore } from '../../../../src-shared/states/transitions.ts';
import { write, type WriteQuery } from '../../database/port/query.ts';
import { transitionSql } from '../../database/transition-sql.ts';
import type { CopyOutcome } from './copy-row.ts';

/** Events that change rows by themselves; those of a run come with what the run found. */
export type CopyRequestEvent = Extract<CopyEvent, 'pause' | 'resume' | 'cancel' | 'retry'>;

interface Applied {
  readonly id: number;
  readonly reason: string | null;
  readonly message: string | null;
  readonly retryAt: number | null;
  readonly attempts: number;
  readonly endedAt: number | null;
  /** Null for events that start no run. */
  readonly startedAt: number | null;
}

const assigned =
  'reason = @reason, message = @message, retry_at = @retryAt, attempts = @attempts, ended_at = @endedAt, started_at = ifnull(@startedAt, started_at)';
const events = Object.keys(copyTransitions.queued) as readonly CopyEvent[];
const applying = new Map(
  events.map((event) => {
    const { next, applies } = transitionSql(copyTransitions, event);
    return [
      event,
      write<Applied>(`UPDATE copies SET state = ${next}, ${assigned} WHERE id = @id AND ${applies}`),
    ] as const;
  }),
);
export const transitionsOfAll: Readonly<Record<CopyRequestEvent, WriteQuery<[number | null], never>>> = {
  pause: toEvery('pause'),
  resume: toEvery('resume'),
  cancel: toEvery('cancel'),
  // Cancelled ones were given up one by one.
  retry: write<[number | null]>(
    `UPDATE copies SET state = 'queued', reason = NULL, message = NULL, attempts = 0, ended_at = ? WHERE state = 'failed'`,
  ),
};

function toEvery(event: CopyRequestEvent): WriteQuery<[number | null], never> {
  const { next, applies } = transitionSql(copyTransitions, event);
  return write<[number | null]>(
    `UPDATE copies SET state = ${next}, reason = NULL, message = NULL, retry_at = NULL, attempts = 0, ended_at = ? WHERE ${applies}`,
  );
}

export function transitionOf(event: CopyEvent): WriteQuery<Applied, never> {
  const found = applying.get(event);
  if (!found) throw new Error(`no statement for ${event}`);
  return found;
}

export function appliedOf(id: number, event: CopyEvent, outcome: CopyOutcome, now: number): Applied {
  const { reason = null, message = null, retryAt = null, attempts = 0 } = outcome;
  const startedAt = event === 'start' ? now : null;
  return { id, reason, message, retryAt, attempts, endedAt: ends(event) ? now : null, startedAt };
}

/** Whether an event leads to a state that is not active. */
export function ends(event: CopyEvent): boolean {
  return statesBefore(copyTransitions, event).some(
    (state) => !activeCopyStates.some((active) => active === copyTransitions[state][event]),
  );
}
