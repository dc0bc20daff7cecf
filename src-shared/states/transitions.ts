/**
 * The next state, or why there is none: `ignored`, because the event comes late or again;
 * `refused`, because the state does not offer what a person asks for; `impossible`, because no code
 * may cause the event in this state.
 */
export type Cell<State extends string> = State | 'ignored' | 'refused' | 'impossible';

/** All states and events of a machine. */
export type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Record<Event, Cell<State>>>>
>;

/** An event that the table of its machine excludes; nothing was changed. */
export class ImpossibleEvent extends Error {
  constructor(state: string, event: string) {
    super(`the event '${event}' cannot happen in the state '${state}'`);
  }
}

/** @throws ImpossibleEvent */
export function requirePossible<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  state: State,
  event: Event,
): void {
  if (table[state][event] === 'impossible') throw new ImpossibleEvent(state, event);
}

/** The states that an event leads out of. */
export function statesBefore<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  event: Event,
): readonly State[] {
  return statesOf(table).filter((state) => offers(table, state, event));
}

/** Whether an event would change the state. */
export function offers<State extends string, Event extends string>(
  table: Transitions<State, Event>,
  state: State,
  event: Event,
): boolean {
  const next = table[state][event];
  return next !== state && Object.hasOwn(table, next);
}

function statesOf<State extends string>(table: Readonly<Record<State, unknown>>): readonly State[] {
  return Object.keys(table) as State[];
}
