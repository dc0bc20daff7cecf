import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { App } from '../app.ts';

/**
 * Answers a request and returns true, or leaves it untouched and returns false. A promise settles
 * within one turn of the event loop and never rejects.
 */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/**
 * Adds a handler of the TCP listener that sees requests before the router and before the handlers
 * added earlier. While the service stops it is bypassed: the router answers with `Connection:
 * close`, without which a busy client would keep its connection until it is cut.
 */
export function addRawHandler(app: App, rawHandler: RawHandler): void {
  const others = app.server.listeners('request') as RequestListener[];
  const passOn: RequestListener = (request, response) => others.forEach((one) => one(request, response));
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const handled = !app.draining.begun && rawHandler(request, response);
    if (handled === true) return;
    if (handled === false) passOn(request, response);
    else void handled.then((done) => done || passOn(request, response));
  });
}
