import type { ChangedEvent, Fetch, IncomingEvent, Job, RatesEvent } from './types.ts';

export type Connection = 'connecting' | 'open' | 'lost';

export interface EventHandlers {
  readonly changed: (event: ChangedEvent) => void;
  readonly job: (job: Job) => void;
  readonly rates: (rates: RatesEvent) => void;
  readonly fetch: (fetch: Fetch) => void;
  readonly incoming: (incoming: IncomingEvent) => void;
  readonly connection: (state: Connection) => void;
  /** After a gap: events were missed, so everything shown may be old. */
  readonly resynchronise: () => void;
}

const longestPause = 10_000;

/**
 * Listens to the service. The browser's own reconnecting gives up for good after an HTTP error (a service that is just starting answers 502), so a closed
 * source is replaced here, with growing pauses. Returns how to stop.
 */
export function listenToService(handlers: EventHandlers, open: () => EventSource = () => new EventSource('/api/v4/events')): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let failures = 0;
  let missedSome = false;

  const read =
    <T>(use: (value: T) => void) =>
    (event: MessageEvent<string>): void => {
      use(JSON.parse(event.data) as T);
    };

  function connect(): void {
    timer = null;
    const current = open();
    source = current;
    current.addEventListener('open', () => {
      failures = 0;
      handlers.connection('open');
      if (missedSome) handlers.resynchronise();
      missedSome = false;
    });
    current.addEventListener('changed', read(handlers.changed));
    current.addEventListener('job', read(handlers.job));
    current.addEventListener('rates', read(handlers.rates));
    current.addEventListener('fetch', read(handlers.fetch));
    current.addEventListener('incoming', read(handlers.incoming));
    current.addEventListener('error', () => {
      missedSome = true;
      handlers.connection('lost');
      if (current.readyState !== EventSource.CLOSED) return;
      current.close();
      failures += 1;
      timer = setTimeout(connect, Math.min(longestPause, 500 * 2 ** Math.min(failures, 6)));
    });
  }

  handlers.connection('connecting');
  connect();
  return () => {
    if (timer !== null) clearTimeout(timer);
    source?.close();
  };
}
