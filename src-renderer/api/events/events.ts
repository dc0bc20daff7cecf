import { follow, joinOwnStream, type EventHandlers } from './follow-events.ts';
import { joinEventsWorker } from './join-events-worker.ts';
import { whileShown } from './while-shown.ts';

/**
 * The event connection of this page. In a browser the pages of a user share one stream, and a
 * hidden page has none; the window always has one of its own, because its connections are not
 * limited.
 */
export function listenToService(
  handlers: EventHandlers,
  page: { readonly inWindow: boolean; readonly userId: number },
): () => void {
  if (page.inWindow) return follow(handlers, joinOwnStream())();
  const join = typeof SharedWorker === 'undefined' ? joinOwnStream() : joinEventsWorker(page.userId, joinOwnStream());
  return whileShown(follow(handlers, join, document.visibilityState === 'visible' ? null : 'hidden from the start'));
}
