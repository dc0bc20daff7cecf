import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { App } from '../app.ts';

/** Answers a request at once, or leaves it untouched and says false. A promise is for what ends within the same turn of the event loop; it never rejects. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/**
 * Lets what can be answered at once be answered ahead of the router and of what was put there before, for everybody's door; the rest goes the ordinary way.
 * So does everything once the service stops: the router answers with `Connection: close`, without which a busy client would keep its connection until it is cut.
 */
export function addRawHandler(app: App, rawHandler: RawHandler): void {
  const others = app.server.listeners('request') as RequestListener[];
  const passOn: RequestListener = (request, response) => others.forEach((one) => one(request, response));
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const handled = !stopping && rawHandler(request, response);
    if (handled === true) return;
    if (handled === false) passOn(request, response);
    else void handled.then((done) => done || passOn(request, response));
  });
}
