import { lockDataDirectory } from '../database/lock.ts';
import { formatBytes } from '../common/format-bytes.ts';
import { clearMoveRequest, abandonMove, locateData, requestedMove } from './data-location.ts';
import { onDataThread } from './data-thread.ts';

const tellEveryMs = 1000;

/**
 * Performs a requested move of the data before the service starts. If the move fails, it is
 * cancelled and the service starts with the old location.
 *
 * @param tell receives the progress, at least every few seconds.
 * @returns the location of the data.
 * @throws StartError when the data cannot be found, or another service uses them.
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
