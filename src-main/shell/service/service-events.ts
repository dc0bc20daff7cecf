import type { ServiceEvents } from '../../service/contract/events.ts';
import { EventStreamReader, type StreamEvent } from './event-stream.ts';
import { forward, type ServiceSocket } from './service-socket.ts';

/** Handlers of the service's events. */
export type EventHandlers = { readonly [N in keyof ServiceEvents]?: (event: ServiceEvents[N]) => void } & {
  /** The stream is open. Events sent before were missed, so all state must be fetched again. */
  readonly opened: () => void;
  readonly lost: () => void;
};

/**
 * Times in milliseconds. The service sends something at least every fifteen seconds; a longer
 * silence means that the connection is dead.
 */
export interface ListenLimits {
  readonly silenceMs: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

const defaultListenLimits: ListenLimits = { silenceMs: 45_000, firstPauseMs: 500, maxPauseMs: 2_000 };

/**
 * Listens to the service's events over its private socket and reconnects until stopped: the service
 * may be starting, restarting, or without an account.
 * @returns a function that stops it.
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

/** Reads one connection until it ends; true if a stream was opened. */
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

/** A broken connection is the ordinary end of a killed service and is not logged. */
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
