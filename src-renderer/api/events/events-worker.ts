import { createEventHub, type HubMessage, type PageMessage } from './event-hub.ts';
import { openEventStream } from './event-stream.ts';

/** The needed part of SharedWorkerGlobalScope; its type library conflicts with that of pages. */
interface WorkerScope {
  addEventListener(type: 'connect', listener: (event: MessageEvent) => void): void;
}

const checkEveryMs = 20_000;
const deadAfterMs = 60_000;

/**
 * One event stream for all pages of this browser: HTTP/1.1 allows six connections per host, and a
 * stream for each page would use them up.
 */
const hub = createEventHub<MessagePort>(openEventStream, (port, message: HubMessage) => port.postMessage(message));
setInterval(() => hub.dropSilent(Date.now() - deadAfterMs), checkEveryMs);

(globalThis as unknown as WorkerScope).addEventListener('connect', ({ ports }) => {
  for (const port of ports) {
    port.addEventListener('message', ({ data }: MessageEvent<PageMessage>) => {
      if (data.kind === 'join') hub.join(port, data.position, Date.now());
      else hub.leave(port);
    });
    port.start();
  }
});
