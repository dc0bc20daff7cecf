/**
 * A stub of the service: it speaks the host protocol and answers a few routes that show which
 * requests it received. `arrange.json` in its data directory selects faults.
 */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { hostLink } from '../../../../src-main/service/process/host-link.ts';
import type { StartOptions } from '../../../../src-main/service/process/host-protocol.ts';

const link = hostLink();
const listeners = new Set<http.ServerResponse>();
let sharing = { wanted: false, on: false };

/** Sends an event to all listeners. */
function say(name: string, data: unknown): void {
  for (const listener of listeners) listener.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

function respond(request: http.IncomingMessage, response: http.ServerResponse, options: StartOptions): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-stub': 'yes' }).end(JSON.stringify(body));
  };
  switch (url.pathname) {
    case '/api/echo':
      request.setEncoding('utf8');
      void request
        .toArray()
        .then((parts) =>
          json(200, { method: request.method, url: request.url, headers: request.headers, body: parts.join('') }),
        );
      return;
    case '/api/pid':
      json(200, { pid: process.pid });
      return;
    case '/api/crash':
      process.exit(3);
      return;
    case '/api/events':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('id: 7\nevent: changed\ndata: {"n":1}\n\n');
      request.once('close', () => fs.writeFileSync(path.join(options.dataDir, 'events-closed'), ''));
      return;
    case '/api/v4/events':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': listening\n\n');
      listeners.add(response);
      request.once('close', () => listeners.delete(response));
      return;
    case '/api/say':
      request.setEncoding('utf8');
      void request.toArray().then((parts) => {
        const { name, data } = JSON.parse(parts.join('')) as { name: string; data: unknown };
        say(name, data);
        json(200, { listeners: listeners.size });
      });
      return;
    case '/api/v4/local/fetches':
      json(200, { items: [], total: 0, counts: {} });
      return;
    case '/api/v4/local/sharing':
      if (request.method === 'PATCH') sharing = { wanted: true, on: true };
      json(200, sharing);
      return;
    case '/api/v4/local/fetches/actions':
      request.setEncoding('utf8');
      void request.toArray().then((parts) => {
        fs.appendFileSync(path.join(options.dataDir, 'actions'), `${parts.join('')}\n`);
        json(200, { changed: 1 });
      });
      return;
    case '/api/endless': {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const timer = setInterval(() => response.write(Buffer.alloc(1024)), 20);
      response.once('close', () => {
        clearInterval(timer);
        fs.writeFileSync(path.join(options.dataDir, 'endless-closed'), '');
      });
      return;
    }
    case '/api/nothing':
      response.writeHead(204).end();
      return;
    case '/api/v4/local/measurements/m1/stage':
      json(200, { path: path.join(options.dataDir, 'staged.txt'), job: null });
      return;
    case '/api/v4/local/measurements/m2/stage':
      json(200, { path: null, job: { id: 5 } });
      return;
    case '/api/v4/jobs/5':
      json(200, { id: 5, state: 'done', result: path.join(options.dataDir, 'staged-later.txt') });
      return;
    default:
      json(404, { title: 'Not Found' });
  }
}

function start(options: StartOptions): void {
  const arrangement = path.join(options.dataDir, 'arrange.json');
  const { failure } = fs.existsSync(arrangement)
    ? (JSON.parse(fs.readFileSync(arrangement, 'utf8')) as { failure?: string })
    : {};
  if (failure) {
    link.send({ type: 'failed', code: 'data-unusable', message: failure });
    setTimeout(() => process.exit(1), 50);
    return;
  }
  const server = http.createServer((request, response) => {
    respond(request, response, options);
  });
  server.listen(options.socketPath, () => {
    link.send({ type: 'ready', url: 'http://127.0.0.1:7420', socketPath: options.socketPath, version: '0.0.0' });
  });
}

link.onMessage((message) => {
  if (message.type === 'start') start(message.options);
  else process.exit(0);
});
link.onClose(() => process.exit(0));
