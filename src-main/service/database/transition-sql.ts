import { statesBefore, type Transitions } from '../../../src-shared/states/transitions.ts';

/** A list of states for `IN`. */
export function stateList(states: readonly string[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}

/**
 * The parts of an UPDATE that applies an event to the column `state`: its new value, and the
 * condition that it changes at all.
 */
export function transitionSql<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  event: Event,
): { readonly next: string; readonly applies: string } {
  const states = statesBefore(table, event);
  const cases = states.map((state) => `WHEN '${state}' THEN '${table[state][event]}'`).join(' ');
  return { next: `CASE state ${cases} END`, applies: `state IN ${stateList(states)}` };
}
