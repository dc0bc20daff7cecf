import { Notification } from 'electron';
import { bodyFor, type Notice } from './notice-words.ts';

/**
 * An unreferenced notification is garbage-collected and its click is lost. Users do not go back
 * further than this.
 */
const maxKept = 20;

/** Shows notifications and opens their route when clicked. */
export function noticeShower(open: (route: string) => void): (notice: Notice) => void {
  const kept = new Set<Notification>();
  return ({ title, body, route }) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body: bodyFor(process.platform, body) });
    kept.add(notification);
    const [oldest] = kept;
    if (oldest && kept.size > maxKept) kept.delete(oldest);
    notification.once('click', () => {
      kept.delete(notification);
      open(route);
    });
    notification.once('close', () => kept.delete(notification));
    notification.show();
  };
}
