import { statesBefore, type Transitions } from './transitions.ts';

/**
 * States of a run in a watched folder. `seen`: found by the last look; `growing`: it changes, or has
 * no sign of completion; `quiet`: the sign is there and is being confirmed; `hashing`: it is being
 * registered; `skipped`: nobody wants it registered; `gone`: it went before it was registered.
 */
export const captureStates = [
  'seen',
  'growing',
  'quiet',
  'hashing',
  'registered',
  'pushed',
  'needs-you',
  'changed-after',
  'skipped',
  'gone',
] as const;
export type CaptureState = (typeof captureStates)[number];

/** Events that are requests of users. `keep`: what was registered stays as it is. */
export type CaptureAction = 'skip' | 'retry' | 'keep';

/**
 * `change`: its files are not those of the last look. `settle`: its sign is there, and nothing has
 * changed since the last look. `differ`: the registration saw other files or bytes than the look
 * before it. `copy`: it has a verified copy where the rule pushes it. `remove`: its measurement was
 * removed, or the registration was cancelled. `restore`: the removed measurement is there again.
 */
export type CaptureEvent =
  | CaptureAction
  | 'change'
  | 'settle'
  | 'start'
  | 'finish'
  | 'differ'
  | 'fail'
  | 'copy'
  | 'vanish'
  | 'appear'
  | 'remove'
  | 'restore';

const unregistered = {
  start: 'impossible',
  finish: 'impossible',
  differ: 'impossible',
  fail: 'needs-you',
  copy: 'impossible',
  vanish: 'gone',
  appear: 'ignored',
  remove: 'ignored',
  restore: 'ignored',
  skip: 'skipped',
  retry: 'refused',
  keep: 'refused',
} as const;

const registered = {
  change: 'changed-after',
  settle: 'ignored',
  start: 'impossible',
  finish: 'ignored',
  differ: 'impossible',
  fail: 'ignored',
  copy: 'ignored',
  // A folder that was registered may be cleared away; its row remembers that it was taken.
  vanish: 'ignored',
  appear: 'ignored',
  remove: 'skipped',
  restore: 'ignored',
  skip: 'refused',
  retry: 'refused',
  keep: 'refused',
} as const;

const resting = {
  change: 'ignored',
  settle: 'ignored',
  start: 'impossible',
  finish: 'ignored',
  differ: 'ignored',
  fail: 'ignored',
  copy: 'ignored',
  remove: 'ignored',
  restore: 'ignored',
  keep: 'refused',
} as const;

/** The next state of a run for each event. */
export const captureTransitions: Transitions<CaptureState, CaptureEvent> = {
  seen: { ...unregistered, change: 'growing', settle: 'quiet' },
  growing: { ...unregistered, change: 'ignored', settle: 'quiet' },
  quiet: { ...unregistered, change: 'growing', settle: 'ignored', start: 'hashing' },
  hashing: {
    // The registration itself notices what changes.
    change: 'ignored',
    settle: 'ignored',
    start: 'ignored',
    finish: 'registered',
    differ: 'growing',
    fail: 'needs-you',
    copy: 'impossible',
    vanish: 'gone',
    appear: 'ignored',
    remove: 'skipped',
    restore: 'ignored',
    skip: 'skipped',
    retry: 'refused',
    keep: 'refused',
  },
  registered: { ...registered, copy: 'pushed' },
  pushed: registered,
  'needs-you': {
    ...resting,
    // Whoever mends the folder need not say so.
    change: 'growing',
    fail: 'ignored',
    vanish: 'gone',
    appear: 'ignored',
    skip: 'skipped',
    retry: 'growing',
  },
  'changed-after': {
    ...registered,
    change: 'ignored',
    copy: 'ignored',
    // The new state becomes a measurement of its own.
    retry: 'growing',
    keep: 'registered',
  },
  // One that a person skipped has no measurement to restore.
  skipped: { ...resting, vanish: 'gone', appear: 'ignored', restore: 'registered', skip: 'ignored', retry: 'growing' },
  gone: { ...resting, vanish: 'ignored', appear: 'growing', skip: 'refused', retry: 'refused' },
};

/** States of runs whose files each look reads, because they may still be registered. */
export const watchedCaptureStates = [
  'seen',
  'growing',
  'quiet',
  'needs-you',
] as const satisfies readonly CaptureState[];

/** States of runs that were registered, and whose later changes a person is asked about. */
export const registeredCaptureStates = statesBefore(captureTransitions, 'change').filter(
  (state) => captureTransitions[state].change === 'changed-after',
);
