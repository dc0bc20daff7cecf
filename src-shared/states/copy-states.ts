import { afterEnd, withoutRun, type RunEvent } from './queue-cells.ts';
import { statesBefore, type Transitions } from './transitions.ts';

export type CopyState = 'queued' | 'sending' | 'waiting' | 'asking' | 'paused' | 'verified' | 'failed' | 'cancelled';

/** Events that are requests of users. */
type CopyAction = 'pause' | 'resume' | 'cancel' | 'retry';

/**
 * `stop` ends a run that goes on later: outside the hours, or at a restart. `wait` and `ask` are
 * obstacles that go by themselves or need a person; `due` and `unblock` are their ends. `doubt`:
 * the other server could not show that it still has the bytes.
 */
export type CopyEvent = CopyAction | RunEvent | 'doubt';

const notSending = { ...withoutRun, doubt: 'ignored' } as const;
const pending = { ...notSending, cancel: 'cancelled', retry: 'refused' } as const;
// Its run may end after somebody paused or cancelled it.
const late = { finish: 'ignored', fail: 'ignored', wait: 'ignored', ask: 'ignored' } as const;
const ended = { ...notSending, ...afterEnd, start: 'impossible' } as const;

/** The next state of a copy for each event; removing deletes the row. */
export const copyTransitions: Transitions<CopyState, CopyEvent> = {
  // A token that was refused for one copy makes the others of its server ask as well.
  queued: { ...pending, start: 'sending', ask: 'asking', pause: 'paused', resume: 'ignored' },
  sending: {
    start: 'impossible',
    finish: 'verified',
    fail: 'failed',
    wait: 'waiting',
    ask: 'asking',
    stop: 'queued',
    due: 'ignored',
    unblock: 'ignored',
    doubt: 'ignored',
    pause: 'paused',
    resume: 'ignored',
    cancel: 'cancelled',
    retry: 'refused',
  },
  waiting: { ...pending, start: 'impossible', ask: 'asking', due: 'queued', pause: 'paused', resume: 'queued' },
  asking: { ...pending, start: 'impossible', ask: 'ignored', unblock: 'queued', pause: 'paused', resume: 'queued' },
  paused: { ...pending, ...late, start: 'ignored', pause: 'ignored', resume: 'queued' },
  verified: { ...ended, doubt: 'failed', retry: 'refused' },
  failed: { ...ended, retry: 'queued' },
  cancelled: { ...ended, ...late, start: 'ignored', retry: 'queued' },
};

/** The states of copies that have not ended. */
export const activeCopyStates = statesBefore(copyTransitions, 'cancel');
