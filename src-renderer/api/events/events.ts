import { follow, joinOwnStream, type EventHandlers } from './follow-events.ts';
import { joinEventsWorker } from './join-events-worker.ts';
import { whileShown } from './while-shown.ts';

/**
 * How this page hears of changes. In a browser the pages of a user share one stream, and a hidden page has none; the window has one of its own, always,
 * because nothing limits its connections.
 */
export function listenToService(
  handlers: EventHandlers,
  page: { readonly inWindow: boolean; readonly userId: number },
): () => void {
  if (page.inWindow) return follow(handlers, joinOwnStream())();
  const join = typeof SharedWorker === 'undefined' ? joinOwnStream() : joinEventsWorker(page.userId, joinOwnStream());
  return whileShown(follow(handlers, join, document.visibilityState === 'visible' ? null : 'hidden from the start'));
}
