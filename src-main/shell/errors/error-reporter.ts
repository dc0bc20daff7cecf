import type { WindowError } from '../../service/contract/own-errors.ts';
import type { SendToService } from '../service/service-socket.ts';

export interface ErrorReporter {
  /**
   * Reports an error asynchronously.
   * @param during the activity, one of a fixed set of texts.
   */
  readonly report: (thrown: unknown, during: string, level?: WindowError['level']) => void;
  /** Call when the service is ready: sends the queued reports. */
  readonly ready: () => void;
}

const maxQueued = 20;
const maxSent = 50;
const maxLengths = { type: 200, message: 2000, stack: 20_000, during: 200 } as const;

/**
 * Reports errors of the window to the service, which stores them if that is enabled. Reports that
 * cannot be sent are queued until the service is ready; a failure to send is not reported itself.
 */
export function errorReporter(sendToService: SendToService): ErrorReporter {
  let waiting: WindowError[] = [];
  let sent = 0;

  async function send(error: WindowError): Promise<void> {
    try {
      await sendToService('/api/v4/local/own-errors', { method: 'POST', body: error });
    } catch {
      if (waiting.length < maxQueued) waiting.push(error);
    }
  }

  return {
    report: (thrown, during, level = 'error') => {
      if (sent >= maxSent) return;
      sent += 1;
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      void send({
        part: 'window',
        level,
        type: error.name.slice(0, maxLengths.type),
        message: error.message.slice(0, maxLengths.message),
        stack: error.stack?.slice(0, maxLengths.stack) ?? null,
        during: during.slice(0, maxLengths.during),
      });
    },
    ready: () => {
      const late = waiting;
      waiting = [];
      for (const error of late) void send(error);
    },
  };
}
