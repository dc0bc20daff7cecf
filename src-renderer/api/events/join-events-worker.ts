import type { HubMessage, PageMessage } from './event-hub.ts';
import type { JoinEvents } from './follow-events.ts';
// oxlint-disable-next-line import/default -- The build makes it: the address of the worker.
import workerUrl from './events-worker.ts?sharedworker&url';

/** Milliseconds, well below the silence after which the worker drops a page. */
const tellEveryMs = 20_000;

/**
 * Joins the event stream shared by the pages of this user. The worker is named after the user,
 * because the events depend on who opened the stream. Without workers the page opens a stream of
 * its own.
 */
export function joinEventsWorker(userId: number, ownStream: JoinEvents): JoinEvents {
  return (position, take) => {
    const worker = startWorker(userId);
    if (worker === null) return ownStream(position, take);
    const { port } = worker;
    let known = position;
    let leaveOwn: (() => void) | null = null;
    const say = (message: PageMessage): void => port.postMessage(message);
    const tell = setInterval(() => say({ kind: 'join', position: known ?? 'unknown' }), tellEveryMs);
    port.addEventListener('message', ({ data }: MessageEvent<HubMessage>) => {
      known = data.position ?? known;
      take(data);
    });
    port.start();
    say({ kind: 'join', position });
    worker.addEventListener('error', () => {
      clearInterval(tell);
      say({ kind: 'leave' });
      leaveOwn ??= ownStream(known, take);
    });
    return () => {
      clearInterval(tell);
      leaveOwn?.();
      say({ kind: 'leave' });
      port.close();
    };
  };
}

/** @returns null where the browser refuses, as some do for pages without storage. */
function startWorker(userId: number): SharedWorker | null {
  try {
    return new SharedWorker(workerUrl, { type: 'module', name: `benchport-events-${userId}` });
  } catch {
    return null;
  }
}
