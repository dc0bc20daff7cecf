import { afterEnd, withoutRun, type RunEvent } from './queue-cells.ts';
import type { Transitions } from './transitions.ts';

const fetchStates = ['queued', 'running', 'waiting', 'asking', 'paused', 'done', 'failed', 'cancelled'] as const;
export type FetchState = (typeof fetchStates)[number];

/**
 * A fetch that has ended is verified as `queued` and `running`, with the time of its end; it counts
 * as ended throughout.
 */
export type FetchStage = FetchState | 'verify-queued' | 'verifying';

/** As it ended before: done when all files are there, otherwise failed. */
export type FetchNext = FetchStage | 'as-ended';

/**
 * `stop` ends a run that may go on later: outside the hours, at a restart, or to make room for
 * others. `keep-both` goes on under other names, where names are taken. `wait` and `ask` are obstacles that go by themselves or need a person; `due` and
 * `unblock` are their ends.
 */
export type FetchEvent = RunEvent | 'pause' | 'resume' | 'cancel' | 'retry' | 'keep-both' | 'verify';

const notRunning = { ...withoutRun, start: 'impossible' } as const;
const ended = { ...notRunning, ...afterEnd } as const;
const unended = {
  pause: 'paused',
  cancel: 'cancelled',
  retry: 'refused',
  'keep-both': 'refused',
  verify: 'refused',
} as const;
const stopsVerifying = {
  ask: 'as-ended',
  stop: 'as-ended',
  pause: 'as-ended',
  cancel: 'as-ended',
  due: 'ignored',
  unblock: 'ignored',
  resume: 'ignored',
  retry: 'refused',
  'keep-both': 'refused',
  verify: 'refused',
} as const;

/** The next stage of a fetch for each event; removing deletes the row. */
export const fetchTransitions: Transitions<FetchStage, FetchEvent, FetchNext> = {
  queued: {
    ...notRunning,
    ...unended,
    start: 'running',
    // It could not be started.
    fail: 'failed',
    // Another process fetches into its folder.
    wait: 'waiting',
    ask: 'asking',
    resume: 'ignored',
  },
  running: {
    ...unended,
    start: 'impossible',
    finish: 'done',
    fail: 'failed',
    wait: 'waiting',
    ask: 'asking',
    stop: 'queued',
    due: 'ignored',
    unblock: 'ignored',
    resume: 'ignored',
  },
  // A token that one fetch was refused makes the others of its server ask as well.
  waiting: { ...notRunning, ...unended, ask: 'asking', due: 'queued', resume: 'queued' },
  asking: { ...notRunning, ...unended, ask: 'ignored', unblock: 'queued', resume: 'queued', 'keep-both': 'queued' },
  paused: { ...notRunning, ...unended, ask: 'ignored', pause: 'ignored', resume: 'queued' },
  done: { ...ended, retry: 'refused', 'keep-both': 'refused', verify: 'verify-queued' },
  failed: { ...ended, retry: 'queued', 'keep-both': 'queued', verify: 'verify-queued' },
  cancelled: { ...ended, retry: 'queued', 'keep-both': 'refused', verify: 'refused' },
  'verify-queued': {
    ...stopsVerifying,
    start: 'verifying',
    finish: 'impossible',
    fail: 'impossible',
    wait: 'impossible',
  },
  // The reason that ended a verification is no statement about the fetched bytes.
  verifying: { ...stopsVerifying, start: 'impossible', finish: 'as-ended', fail: 'failed', wait: 'as-ended' },
};

/** The stage of a row, or of what the API tells of it. */
export function fetchStageOf(fetch: {
  readonly state: FetchState;
  readonly ended_at: number | string | null;
}): FetchStage {
  if (fetch.ended_at === null) return fetch.state;
  return fetch.state === 'queued' ? 'verify-queued' : fetch.state === 'running' ? 'verifying' : fetch.state;
}

/** The states of fetches that have ended. */
export const endedFetchStates = fetchStates.filter((state) => fetchTransitions[state].cancel === 'refused');
