import { once } from 'node:events';
import https from 'node:https';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { bareAnswer, type Answer, type Asked, type Fault } from './exchange.ts';
import { goodAnswer, rangeOf, thingAt } from './good-answer.ts';
import type { GeneratedMeasurement } from './measurement.ts';

/** A received request. */
export interface Seen {
  readonly asked: Asked;
  /** The `Authorization` header, if there was one. */
  readonly authorization: string | null;
  /** 0 while there is no response yet. */
  status: number;
  /** Bytes sent of the body. */
  bytesSent: number;
  ended: 'open' | 'whole' | 'cut';
}

export interface FaultServer {
  readonly url: string;
  /** All requests, in order. */
  readonly seen: Seen[];
  /** The current faults, applied in order. */
  faults: readonly Fault[];
  /** The served measurement, which a test may replace by another version. */
  measurement: GeneratedMeasurement;
  /** The accepted token; null to require none. */
  token: string | null;
  /** Bytes of files and archive sent so far. */
  bytesSent(): number;
  /** The maximum of simultaneous connections. */
  readonly maxConnections: () => number;
  stop(): Promise<void>;
}

export interface FaultServerOptions {
  readonly token?: string;
  readonly port?: number;
  readonly host?: string;
  /** Starts with a slash and does not end with one. */
  readonly basePath?: string;
  /** Bytes a second over all connections; a function is called before each piece. */
  readonly pace?: number | (() => number);
  /** Speaks HTTPS with this certificate, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** An HTTP server of one generated measurement with selectable faults, on the loopback. */
export async function startFaultServer(
  measurement: GeneratedMeasurement,
  options: FaultServerOptions = {},
): Promise<FaultServer> {
  const basePath = options.basePath ?? '';
  const seen: Seen[] = [];
  const pacing = { next: 0 };
  let open = 0;
  let most = 0;
  const patient = { keepAliveTimeout: 60_000, requestTimeout: 0 };
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void answerOne(request, response).catch(() => response.destroy());
  const server = options.tls
    ? https.createServer({ ...options.tls, ...patient }, listener)
    : http.createServer(patient, listener);
  server.on('connection', (socket) => {
    open += 1;
    most = Math.max(most, open);
    socket.on('close', () => (open -= 1));
  });

  async function answerOne(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = askedOf(self.measurement, request, basePath, seen.length);
    const one: Seen = {
      asked,
      authorization: request.headers.authorization ?? null,
      status: 0,
      bytesSent: 0,
      ended: 'open',
    };
    seen.push(one);
    const answered = once(response, 'close').then(() => (one.ended = one.ended === 'open' ? 'cut' : one.ended));
    let answer = await answerOf(self, asked);
    for (const fault of self.faults) answer = await fault(asked, answer);
    one.status = answer.status;
    await send(
      answer,
      one,
      response,
      options.pace === undefined ? null : { bytesPerSecond: options.pace, state: pacing },
    );
    await answered;
  }

  const self: FaultServer = {
    url: '',
    seen,
    faults: [],
    measurement,
    token: options.token ?? null,
    bytesSent: () =>
      seen
        .filter(({ asked }) => asked.what === 'file' || asked.what === 'archive')
        .reduce((sum, { bytesSent }) => sum + bytesSent, 0),
    maxConnections: () => most,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server has no port');
  return Object.assign(self, { url: `http${options.tls ? 's' : ''}://${host}:${address.port}${basePath}` });
}

function askedOf(measurement: GeneratedMeasurement, request: IncomingMessage, basePath: string, number: number): Asked {
  const url = request.url ?? '';
  const path = decodeURI(url.split('?')[0] ?? '');
  const thing = thingAt(measurement, path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '');
  const { method = '', headers, socket } = request;
  return { number, ...thing, method, url, headers, range: rangeOf(headers, thing.length), socket };
}

async function answerOf(server: Pick<FaultServer, 'measurement' | 'token'>, asked: Asked): Promise<Answer> {
  if (server.token !== null && asked.headers.authorization !== `Bearer ${server.token}`) {
    return bareAnswer(401, { 'www-authenticate': 'Bearer realm="test"' }, 'This token does not open anything.');
  }
  const file = server.measurement.files[asked.index];
  const tag = asked.what === 'file' && file ? `"sha256-${file.sha256.toString('hex')}"` : server.measurement.archiveTag;
  return goodAnswer(server.measurement, asked, tag);
}

interface Pace {
  readonly bytesPerSecond: number | (() => number);
  readonly state: { next: number };
}

async function send(answer: Answer, one: Seen, response: ServerResponse, pace: Pace | null): Promise<void> {
  const { socket } = one.asked;
  if (answer.untilClose === true) {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
  }
  response.writeHead(answer.status, answer.headers);
  // The client may disconnect at any moment; the loop below notices it.
  response.on('error', () => {});
  response.flushHeaders();
  for await (const bytes of answer.body) {
    if (pace) await keepPace(pace, bytes.length);
    if (response.destroyed || socket.destroyed) return;
    const before = one.bytesSent;
    one.bytesSent = before + bytes.length;
    if (!response.write(bytes)) await drained(response);
  }
  if (answer.ending === 'reset') {
    // A reset discards bytes that the client has not read yet.
    await wait(20);
    socket.resetAndDestroy();
  }
  if (answer.ending === 'cut') {
    // Written bytes are sent before the connection is cut.
    await new Promise((resolve) => socket.write(Buffer.alloc(0), resolve));
    socket.destroy();
  } else if (answer.ending === 'end') {
    one.ended = 'whole';
    await new Promise<void>((resolve) => response.end(resolve));
    // Not a reset, which could discard the response.
    if (answer.thenClose === true) socket.end();
  }
}

/** Waits for room in the connection's buffer, or for its end. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

async function keepPace(pace: Pace, bytes: number): Promise<void> {
  const now = performance.now();
  const due = Math.max(pace.state.next, now);
  const rate = typeof pace.bytesPerSecond === 'number' ? pace.bytesPerSecond : pace.bytesPerSecond();
  pace.state.next = due + (bytes / rate) * 1000;
  // Timers are exact to a millisecond only, so short delays are added up.
  if (due - now > 2) await wait(due - now);
}
