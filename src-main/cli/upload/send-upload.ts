import { setTimeout } from 'node:timers/promises';
import { UploadFailure } from '../../service/upload-client/upload-failure.ts';
import type { Upload } from '../../service/upload-client/upload.ts';
import { CommandError } from '../support/terminal.ts';

const maxFailures = 20;
const maxPauseMs = 30_000;

/**
 * Uploads an archive and waits until it is registered. It goes on after failures of the network or
 * the server.
 *
 * @param onSent told how many bytes the server has.
 * @throws CommandError when the server refuses it, or does not answer for long.
 */
export async function sendUpload(
  upload: Upload,
  signal: AbortSignal,
  onSent: (bytesDone: number) => void,
): Promise<{ readonly wasThere: boolean }> {
  let furthest = -1;
  for (let failures = 1; ; failures += 1) {
    const before = furthest;
    try {
      return await upload.attempt(signal, (bytesDone) => {
        furthest = Math.max(furthest, bytesDone);
        onSent(bytesDone);
      });
    } catch (error) {
      if (furthest > before) failures = 1;
      await pauseOrThrow(error, failures, signal);
    }
  }
}

async function pauseOrThrow(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!(error instanceof UploadFailure)) throw error;
  if (error.kind !== 'retry') throw new CommandError(error.message);
  if (failures >= maxFailures)
    throw new CommandError(`The upload stopped: ${error.message} Run the same command again to go on.`);
  const pauseMs = Math.max(error.retryAfterMs ?? 0, 250 * 2 ** Math.min(failures, 7));
  try {
    await setTimeout(Math.min(maxPauseMs, pauseMs), undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
