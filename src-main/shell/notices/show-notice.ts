import { Notification } from 'electron';
import { bodyFor, type Notice } from './notice-words.ts';

/** A notification that nobody refers to any more is collected, and its click is lost. More than these few nobody goes back to. */
const maxKept = 20;

/** Shows notifications, and leads to what they tell of. */
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
