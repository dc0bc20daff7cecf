/** Why an event leads to no other state. */
const noChange = ['ignored', 'refused', 'impossible'] as const;

/**
 * The next state, or why it stays: `ignored`, because the event comes late or again; `refused`,
 * because the state does not offer what a person asks for; `impossible`, because no code may cause
 * the event in this state.
 */
export type Cell<Next extends string> = Next | (typeof noChange)[number];

/**
 * All states and events of a machine. `Next` is what a cell may lead to, where that is more than
 * the states.
 */
export type Transitions<State extends string, Event extends string, Next extends string = State> = Readonly<
  Record<State, Readonly<Record<Event, Cell<Next>>>>
>;

/** An event that the table of its machine excludes; nothing was changed. */
export class ImpossibleEvent extends Error {
  constructor(state: string, event: string) {
    super(`the event '${event}' cannot happen in the state '${state}'`);
  }
}

/** @throws ImpossibleEvent */
export function requirePossible<State extends string, Event extends string>(
  table: Transitions<State, Event, string>,
  state: State,
  event: Event,
): void {
  if (table[state][event] === 'impossible') throw new ImpossibleEvent(state, event);
}

/** The state after an event; null where it changes nothing. */
export function nextOf<State extends string, Event extends string, Next extends string>(
  table: Transitions<State, Event, Next>,
  state: State,
  event: Event,
): Next | null {
  const cell = table[state][event];
  return noChange.some((word) => word === cell) ? null : (cell as Next);
}

/** Whether an event would change the state. */
export function offers<State extends string, Event extends string>(
  table: Transitions<State, Event, string>,
  state: State,
  event: Event,
): boolean {
  return nextOf(table, state, event) !== null;
}

/** The states that an event leads out of. */
export function statesBefore<State extends string, Event extends string>(
  table: Transitions<State, Event, string>,
  event: Event,
): readonly State[] {
  return (Object.keys(table) as State[]).filter((state) => offers(table, state, event));
}
