import { fetchTransitions, type FetchEvent, type FetchStage } from '../../../../src-shared/states/fetch-states.ts';

export const way: Readonly<Record<FetchStage, readonly FetchEvent[]>> = {
  queued: [],
  running: ['start'],
  waiting: ['start', 'wait'],
  asking: ['start', 'ask'],
  paused: ['pause'],
  done: ['start', 'finish'],
  failed: ['start', 'fail'],
  cancelled: ['cancel'],
  'verify-queued': ['start', 'finish', 'verify'],
  verifying: ['start', 'finish', 'verify', 'start'],
};
const stages = Object.keys(way) as FetchStage[];
export const cells = stages.flatMap((stage) =>
  (Object.keys(fetchTransitions[stage]) as FetchEvent[]).map((event) => [stage, event] as const),
);
