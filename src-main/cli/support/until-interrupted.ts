import { CommandError } from './terminal.ts';

/**
 * Runs work that Ctrl-C aborts.
 * @throws CommandError with the message `stopped` if it was aborted.
 */
export async function untilInterrupted<T>(stopped: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new CommandError(stopped));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
