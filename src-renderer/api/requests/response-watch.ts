import { errorOfSilence } from './problem.ts';

/** How long a request has been outstanding while the service is silent. */
export interface Silence {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Whether an outstanding request may have been carried out. */
  readonly writes: boolean;
}

export interface TrackedRequest {
  /** Aborts with an `ApiError` once the time limit is reached. */
  readonly signal: AbortSignal;
  /** Must be called when the request is over, however it ended. */
  readonly end: () => void;
}

export interface ResponseWatch {
  /** Records that a request waits for its response. */
  track(write: boolean): TrackedRequest;
  /** Records a sign of life: a response of any status, or the end of its body. */
  heard(): void;
  /** Records an event of the stream, which sends at least one every five seconds. */
  heardEvent(): void;
}

export interface ResponseWatchDeps {
  /** Requests the service's health; resolves with any response. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  readonly onSilence: (silence: Silence | null) => void;
}

const tickMs = 250;
const probeAfterMs = 1500;
const probeTimeoutMs = 10_000;
const silentAfterMs = 2000;
/**
 * A heartbeat of the service (`events-route.ts`) plus a margin: while none is overdue, a probe
 * without a response only waits for a free connection.
 */
const eventOverdueMs = 6500;
/**
 * A request is aborted after this much silence (ms); a write later, because it is then unknown
 * whether it was carried out.
 */
const silenceLimitMs = { read: 20_000, write: 60_000 } as const;
/**
 * Applies also while the service is alive. Writes may read a folder of many files, or contact
 * another server.
 */
const durationLimitMs = { read: 120_000, write: 600_000 } as const;
/**
 * Ticks that are further apart mean that the page or the machine slept, which is not silence of the
 * service.
 */
const sleptMs = 5000;

interface Outstanding {
  readonly kind: 'read' | 'write';
  readonly startedAt: number;
  readonly abort: AbortController;
}

/**
 * Distinguishes a service that hangs (a slow disk, a stopped process) from one that is slow with a
 * single request: while a request is outstanding and nothing was received, its health is probed.
 * Aborts requests after a bounded time.
 */
export function createResponseWatch({ probe, onSilence }: ResponseWatchDeps): ResponseWatch {
  const outstanding = new Set<Outstanding>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let heardAt = Date.now();
  let tickedAt = heardAt;
  /** Null before the first. */
  let eventAt: number | null = null;
  let probing = false;
  let silence: Silence | null = null;

  function heard(): void {
    heardAt = Date.now();
    tell(null);
  }

  function tell(next: Silence | null): void {
    if (silence?.since === next?.since && silence?.writes === next?.writes) return;
    silence = next;
    onSilence(next);
  }

  async function ask(): Promise<void> {
    probing = true;
    try {
      await probe(AbortSignal.timeout(probeTimeoutMs));
      heard();
    } catch (error) {
      // A refused connection does not count as silence: the event stream reports that the service
      // is away.
      if (!(error instanceof DOMException && error.name === 'TimeoutError')) tell(null);
    } finally {
      probing = false;
    }
  }

  function tick(): void {
    const now = Date.now();
    if (now < tickedAt || now - tickedAt > sleptMs) heardAt = now;
    tickedAt = now;
    for (const request of outstanding) giveUpOverdue(request, now);
    const oldest = Math.min(...[...outstanding].map(({ startedAt }) => startedAt));
    // Continues while the service is silent, even after all requests were aborted.
    const since = silence?.since ?? Math.max(oldest, heardAt);
    const eventsCome = eventAt !== null && now >= eventAt && now - eventAt < eventOverdueMs;
    if (now - since >= silentAfterMs && !eventsCome)
      tell({ since, writes: [...outstanding].some(({ kind }) => kind === 'write') });
    if (now - since >= probeAfterMs && !probing) void ask();
    if (outstanding.size > 0 || silence !== null || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  function giveUpOverdue({ kind, startedAt, abort }: Outstanding, now: number): void {
    const silentMs = silence === null ? 0 : now - Math.max(startedAt, heardAt);
    if (silentMs < silenceLimitMs[kind] && now - startedAt < durationLimitMs[kind]) return;
    abort.abort(errorOfSilence(now - startedAt, kind === 'write'));
  }

  return {
    track(write) {
      const request: Outstanding = {
        kind: write ? 'write' : 'read',
        startedAt: Date.now(),
        abort: new AbortController(),
      };
      outstanding.add(request);
      if (timer === null) {
        tickedAt = Date.now();
        timer = setInterval(tick, tickMs);
      }
      return { signal: request.abort.signal, end: () => outstanding.delete(request) };
    },
    heard,
    heardEvent() {
      eventAt = Date.now();
      heard();
    },
  };
}
