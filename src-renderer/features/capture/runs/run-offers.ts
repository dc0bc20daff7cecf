import { captureTransitions } from '../../../../src-shared/states/capture-states.ts';
import { offers } from '../../../../src-shared/states/transitions.ts';
import { suggestedId } from '../../../../src-shared/measurement-names.ts';
import type { CaptureReason, CaptureRun, CaptureState } from '../../../api/requests/types.ts';

/**
 * Choices that a person has for a run. `retry-as`: under an id of their own; `leave-out`: without the
 * files whose names are refused; `another`: its new state as another measurement; `take-up`: no
 * longer skipped.
 */
export type RunOffer = 'register' | 'retry' | 'retry-as' | 'leave-out' | 'another' | 'keep' | 'skip' | 'take-up';

/** States in which the sign of a run is waited for, so that somebody may know better. */
const waitsForSign: ReadonlySet<CaptureState> = new Set(['seen', 'growing', 'quiet']);
const needsId: ReadonlySet<CaptureReason | null> = new Set(['id-taken', 'no-id']);

/** Actions that the table of states offers for a run, the most likely first. */
export function runOffers({ state, reason }: Pick<CaptureRun, 'state' | 'reason'>): readonly RunOffer[] {
  const may = (action: 'retry' | 'keep' | 'skip'): boolean => offers(captureTransitions, state, action);
  return [
    ...(waitsForSign.has(state) ? ['register' as const] : []),
    ...(may('retry') ? [retryOf(state, reason)] : []),
    ...(state === 'needs-you' && reason === 'refused-names' ? ['leave-out' as const] : []),
    ...(may('keep') ? ['keep' as const] : []),
    ...(may('skip') ? ['skip' as const] : []),
  ];
}

function retryOf(state: CaptureState, reason: CaptureReason | null): RunOffer {
  if (state === 'changed-after') return 'another';
  if (state === 'skipped') return 'take-up';
  return needsId.has(reason) ? 'retry-as' : 'retry';
}

/** An id that is likely free, for a run whose own id is taken. */
export function otherId({ name, measurement_id: id }: Pick<CaptureRun, 'name' | 'measurement_id'>): string {
  return `${id?.slice(0, 120) ?? suggestedId(name.split('/').at(-1) ?? name)}-2`;
}
