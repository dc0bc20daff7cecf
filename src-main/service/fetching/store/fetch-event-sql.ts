import {
  endedFetchStates,
  fetchTransitions,
  type FetchEvent,
  type FetchNext,
  type FetchStage,
} from '../../../../src-shared/states/fetch-states.ts';
import { statesBefore } from '../../../../src-shared/states/transitions.ts';
import { stateList } from '../../database/transition-sql.ts';

/** The stage of a row of `fetches`, as an expression of SQL. */
export const stageSql = `CASE WHEN ended_at IS NULL THEN state WHEN state = 'queued' THEN 'verify-queued' WHEN state = 'running' THEN 'verifying' ELSE state END`;

const verifying: readonly FetchNext[] = ['verify-queued', 'verifying'];
const asEnded = `CASE WHEN files_done = files_total THEN 'done' ELSE 'failed' END`;

function valueOf(next: FetchNext): string {
  if (next === 'as-ended') return asEnded;
  return `'${next === 'verify-queued' ? 'queued' : next === 'verifying' ? 'running' : next}'`;
}

interface EventSql {
  /** Sets `state` and `ended_at`; the one parameter is the time. */
  readonly assignments: string;
  /** The condition that the event changes a row. */
  readonly applies: string;
}

/** The parts of an UPDATE that applies an event. */
export function eventSql(event: FetchEvent): EventSql {
  const before = statesBefore(fetchTransitions, event);
  const cases = before.map((stage) => `WHEN '${stage}' THEN ${valueOf(fetchTransitions[stage][event] as FetchNext)}`);
  const next = `CASE ${stageSql} ${cases.join(' ')} END`;
  const kept = before.filter((stage) => verifying.some((one) => one === fetchTransitions[stage][event]));
  const end = `CASE WHEN ${stageSql} IN ${stateList(kept)} THEN ended_at WHEN ${next} IN ${stateList(endedFetchStates)} THEN ifnull(ended_at, ?) END`;
  return { assignments: `state = ${next}, ended_at = ${end}`, applies: inStages(before) };
}

/** The condition that a row is in one of some stages; its first part can use the index of states. */
export function inStages(stages: readonly FetchStage[]): string {
  const states = new Set(stages.map((stage) => valueOf(stage)));
  return `state IN (${[...states].join(', ')}) AND ${stageSql} IN ${stateList(stages)}`;
}
