import { createEventHub, type HubMessage } from './event-hub.ts';
import { openEventStream, type Connection } from './event-stream.ts';
import type { AddingEvent, ChangedEvent, Fetch, IncomingEvent, Job, RatesEvent } from '../requests/types.ts';

export interface EventHandlers {
  readonly changed: (event: ChangedEvent) => void;
  readonly job: (job: Job) => void;
  readonly rates: (rates: RatesEvent) => void;
  readonly fetch: (fetch: Fetch) => void;
  readonly incoming: (incoming: IncomingEvent) => void;
  readonly adding: (adding: AddingEvent) => void;
  /** Called for every event: the service is alive. */
  readonly heartbeat: () => void;
  readonly connection: (state: Connection) => void;
  /** After missed events: everything on screen may be outdated. */
  readonly resynchronise: () => void;
}

/**
 * Joins the events from a position on (null for a page that is still loading), and returns how to
 * leave.
 */
export type JoinEvents = (position: string | null, take: (message: HubMessage) => void) => () => void;

/** A stream of this page's own. */
export function joinOwnStream(openStream: typeof openEventStream = openEventStream): JoinEvents {
  return (position, take) => {
    const hub = createEventHub<typeof take>(openStream, (to, message) => to(message));
    hub.join(take, position, 0);
    return () => hub.leave(take);
  };
}

/**
 * Dispatches the messages of a stream to their handlers, and keeps the position across leaving and
 * joining.
 */
export function follow(handlers: EventHandlers, join: JoinEvents, from: string | null = null): () => () => void {
  let position = from;
  function take(message: HubMessage): void {
    position = message.position ?? position;
    if (message.kind === 'connection') return handlers.connection(message.state);
    if (message.kind === 'gap') return handlers.resynchronise();
    handlers.heartbeat();
    if (message.name === 'heartbeat') return undefined;
    const handle = handlers[message.name] as (value: unknown) => void;
    return handle(JSON.parse(message.data));
  }
  return () => {
    let joined = true;
    const leave = join(position, (message) => joined && take(message));
    // A page that never received an event has only the data it loaded first.
    position ??= 'left';
    return () => {
      joined = false;
      leave();
    };
  };
}
