import { lockDataDirectory } from '../database/lock.ts';
import { formatBytes } from '../common/format-bytes.ts';
import { clearMoveRequest, abandonMove, locateData, requestedMove } from './data-location.ts';
import { onDataThread } from './data-thread.ts';

const tellEveryMs = 1000;

/**
 * Moves the data of a service that was asked to, before it starts. A move that cannot be done is given up, and the service starts where it was.
 *
 * @param tell hears, at least every few seconds, how far it is.
 * @returns where the data lie.
 * @throws StartError when they cannot be found, or another service uses them.
 */
export async function moveAtStart(dataDir: string, tell: (message: string) => void): Promise<string> {
  const from = locateData(dataDir);
  const to = requestedMove(from);
  if (to === null) return from;
  const unlock = lockDataDirectory(from);
  let message = `Moving the data to ${to}`;
  const timer = setInterval(() => tell(message), tellEveryMs);
  tell(message);
  try {
    await onDataThread({ kind: 'move', from, to }, new AbortController().signal, ({ bytesDone, bytesTotal }) => {
      message = `Moving the data to ${to}: ${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`;
    });
    clearMoveRequest(from);
    return to;
  } catch (error) {
    abandonMove(from, error instanceof Error ? error.message : String(error));
    return from;
  } finally {
    clearInterval(timer);
    unlock();
  }
}
