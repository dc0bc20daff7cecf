import type { Transitions } from './transitions.ts';

/**
 * `away`: it does not report, which is usual for it at this time, or of which nothing is known yet.
 * `silent`: longer than is usual for it. `unheard`: the server hears none of its benches, so that it
 * is more likely at fault than each of them. `closed` and `asleep`: it said so.
 */
export type BenchState = 'reporting' | 'closed' | 'asleep' | 'away' | 'unheard' | 'silent';

/**
 * `report`, `close` and `sleep` come from the bench. `miss`, `mute` and `overdue` are judgements
 * about a bench that is not heard; a report may overtake them.
 */
export type BenchEvent = 'report' | 'close' | 'sleep' | 'miss' | 'mute' | 'overdue';

const said = { report: 'reporting', close: 'closed', sleep: 'asleep' } as const;
// Who said goodbye is not missed.
const unmissed = { miss: 'ignored', mute: 'ignored', overdue: 'ignored' } as const;

/** The next state of a bench for each event; removing deletes the row. */
export const benchTransitions: Transitions<BenchState, BenchEvent> = {
  reporting: { ...said, report: 'ignored', miss: 'away', mute: 'unheard', overdue: 'silent' },
  closed: { ...said, ...unmissed, close: 'ignored' },
  asleep: { ...said, ...unmissed, sleep: 'ignored' },
  away: { ...said, miss: 'ignored', mute: 'ignored', overdue: 'silent' },
  unheard: { ...said, miss: 'away', mute: 'ignored', overdue: 'silent' },
  silent: { ...said, ...unmissed },
};

export const benchStates = Object.keys(benchTransitions) as readonly BenchState[];

/** States in which reports are awaited. */
export const watchedBenchStates = ['reporting', 'away', 'unheard'] as const satisfies readonly BenchState[];
