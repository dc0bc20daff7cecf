export type Connection = 'connecting' | 'open' | 'lost';

const eventNames = ['changed', 'job', 'rates', 'fetch', 'incoming', 'adding', 'heartbeat'] as const;
export type StreamEventName = (typeof eventNames)[number];

export interface StreamSink {
  readonly connection: (state: Connection) => void;
  /** @param data the event's JSON, as it was sent. */
  readonly event: (name: StreamEventName, data: string) => void;
  /** The stream is open again after events were missed. */
  readonly gap: () => void;
}

const maxRetryPauseMs = 10_000;
/**
 * Milliseconds, three heartbeats of the service (`events-route.ts`): after this silence the
 * connection is dead, or the service hangs.
 */
const silenceLimitMs = 15_000;

/**
 * Opens the service's event stream and keeps it open. The browser's own reconnecting stops after an
 * HTTP error (a starting service answers 502) and never notices a dead connection, so a closed or
 * silent source is replaced here, with growing pauses.
 * @returns the function that closes it.
 */
export function openEventStream(
  sink: StreamSink,
  open: () => EventSource = () => new EventSource('/api/v4/events'),
): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let missed = false;

  function lose(current: EventSource, closed: boolean): void {
    missed = true;
    sink.connection('lost');
    if (!closed) return;
    clearTimeout(silence);
    current.close();
    failures += 1;
    retry = setTimeout(connect, Math.min(maxRetryPauseMs, 500 * 2 ** Math.min(failures, 6)));
  }

  function watchSilence(current: EventSource): void {
    clearTimeout(silence);
    silence = setTimeout(() => lose(current, true), silenceLimitMs);
  }

  function connect(): void {
    const current = open();
    source = current;
    watchSilence(current);
    current.addEventListener('open', () => {
      failures = 0;
      // Restarted by the first heartbeat.
      clearTimeout(silence);
      sink.connection('open');
      if (missed) sink.gap();
      missed = false;
    });
    for (const name of eventNames) {
      current.addEventListener(name, (event: MessageEvent<string>) => {
        if (name === 'heartbeat') watchSilence(current);
        sink.event(name, event.data);
      });
    }
    current.addEventListener('error', () => lose(current, current.readyState === EventSource.CLOSED));
  }

  sink.connection('connecting');
  connect();
  return () => {
    clearTimeout(retry);
    clearTimeout(silence);
    source?.close();
  };
}
