import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from './app.ts';

/** Answers a request at once, or leaves it untouched and says false. */
export type AtOnce = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Lets what can be answered at once be answered ahead of the router, for everybody's door; the rest goes the ordinary way. */
export function answerFirst(app: App, atOnce: AtOnce): void {
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    if (!atOnce(request, response)) app.routing(request, response);
  });
}
