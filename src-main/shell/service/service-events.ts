import type { ServiceEvents } from '../../service/contract/events.ts';
import { EventStreamReader, type StreamEvent } from './event-stream.ts';
import { forward, type ServiceSocket } from './service-socket.ts';

/** What is done with the events of the service. */
export type EventHandlers = { readonly [N in keyof ServiceEvents]?: (event: ServiceEvents[N]) => void } & {
  /** The stream is open. Events from before were missed: everything has to be asked for anew. */
  readonly opened: () => void;
  readonly lost: () => void;
};

/** In milliseconds. The service says something at least every fifteen seconds; longer silence is a connection that nobody holds any more. */
export interface ListenLimits {
  readonly silenceMs: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

const defaultListenLimits: ListenLimits = { silenceMs: 45_000, firstPauseMs: 500, maxPauseMs: 2_000 };

/**
 * Listens to the service through the window's door, and connects again for as long as it takes: the service may be starting, away, or without an account.
 *
 * @returns the function that ends it.
 */
export function listenToService(
  serviceSocket: ServiceSocket,
  handlers: EventHandlers,
  limits: ListenLimits = defaultListenLimits,
): () => void {
  const stopped = new AbortController();
  void listen(serviceSocket, handlers, limits, stopped.signal);
  return () => stopped.abort();
}

async function listen(
  serviceSocket: ServiceSocket,
  handlers: EventHandlers,
  limits: ListenLimits,
  stopped: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!stopped.aborted) {
    const wasOpen = await readOnce(serviceSocket, handlers, limits, stopped);
    if (stopped.aborted) return;
    failures = wasOpen ? 0 : failures + 1;
    if (wasOpen) handlers.lost();
    await pause(Math.min(limits.maxPauseMs, limits.firstPauseMs * 2 ** Math.min(failures, 6)), stopped);
  }
}

/** Reads until the stream ends, for whatever reason; true when there was one. */
async function readOnce(
  serviceSocket: ServiceSocket,
  handlers: EventHandlers,
  limits: ListenLimits,
  stopped: AbortSignal,
): Promise<boolean> {
  const leave = new AbortController();
  const end = (): void => leave.abort();
  stopped.addEventListener('abort', end, { once: true });
  const silence = setTimeout(end, limits.silenceMs);
  let isOpen = false;
  try {
    const response = await forward(
      new Request('http://localhost/api/v4/events', { signal: leave.signal }),
      serviceSocket,
    );
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return false;
    }
    isOpen = true;
    handlers.opened();
    const reader = new EventStreamReader();
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      silence.refresh();
      for (const event of reader.read(decoder.decode(chunk, { stream: true }))) dispatch(event, handlers);
    }
  } catch (error) {
    if (!leave.signal.aborted && !isBroken(error)) console.error(`Listening to the service: ${String(error)}`);
  } finally {
    clearTimeout(silence);
    stopped.removeEventListener('abort', end);
    leave.abort();
  }
  return isOpen;
}

function dispatch(event: StreamEvent, handlers: EventHandlers): void {
  const handle = Object.hasOwn(handlers, event.name)
    ? (handlers[event.name as keyof ServiceEvents] as ((value: unknown) => void) | undefined)
    : undefined;
  handle?.(JSON.parse(event.data));
}

/** A connection that breaks off is the ordinary end of a service that was killed. */
function isBroken(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      stopped.removeEventListener('abort', done);
      resolve();
    }
    stopped.addEventListener('abort', done, { once: true });
  });
}
