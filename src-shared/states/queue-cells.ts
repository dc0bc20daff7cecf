/** Events of a run in the queue of copies and in that of fetches. */
export type RunEvent = 'start' | 'finish' | 'fail' | 'wait' | 'ask' | 'stop' | 'due' | 'unblock';

/** How the queues of copies and of fetches answer the events of a run in states without one. */
export const withoutRun = {
  finish: 'impossible',
  fail: 'impossible',
  wait: 'impossible',
  stop: 'ignored',
  due: 'ignored',
  unblock: 'ignored',
} as const;

/** How they answer what people ask for, and obstacles, when the work has ended. */
export const afterEnd = { ask: 'impossible', pause: 'refused', resume: 'refused', cancel: 'refused' } as const;
