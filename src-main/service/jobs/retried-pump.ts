import type { Logger } from 'pino';
import type { Serial } from '../common/serial.ts';

export interface RetriedPump {
  /** Runs the pump soon; one that fails is retried. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/**
 * Runs what starts queued jobs. It is retried after a failure, such as a full disk, because no other
 * event may wake it again. Those that do must not add a retry each, and a failure that lasts is told
 * once.
 */
export function retriedPump(
  pump: () => Promise<void>,
  { serial, log, retryMs }: { readonly serial: Serial; readonly log: Logger; readonly retryMs: number },
): RetriedPump {
  let retrying: NodeJS.Timeout | null = null;
  let failing = false;
  let stopped = false;

  function retry(): void {
    retrying = null;
    wake();
  }

  function failed(error: unknown): void {
    if (!failing) log.error({ err: error }, 'the queue of jobs has stopped for now');
    failing = true;
    if (!stopped) retrying ??= setTimeout(retry, retryMs).unref();
  }

  function wake(): void {
    void serial.run(pump).then(() => {
      failing = false;
    }, failed);
  }

  return {
    wake,
    stop: () => {
      stopped = true;
      clearTimeout(retrying ?? undefined);
    },
  };
}
