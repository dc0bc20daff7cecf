import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerLimits } from './listener-limits.ts';
import { HttpProblem } from '../../common/problem.ts';
import { refuseOn } from './refuse-unreadable.ts';

/** The connections of one listener. */
export interface Connections {
  /** The open ones; with TLS, the raw sockets and the TLS sockets over them. */
  readonly open: ReadonlySet<Socket>;
  /**
   * Destroys sockets still in the TLS handshake; they carry no request and would delay shutdown
   * until the handshake timeout.
   */
  dropSilent(): void;
}

// OpenSSL's codes for a first record that is not TLS.
const notTls = new Set(['ERR_SSL_HTTP_REQUEST', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_HTTPS_PROXY_REQUEST']);

/**
 * Guards the connections of a listener: closes those beyond the limit of an address, drops clients
 * that do not read, and answers plain HTTP on a TLS port.
 *
 * @param isOwn whether an address may hold as many connections as the listener: this machine
 * itself, or a proxy of many clients.
 */
export function watchConnections(
  server: Server,
  limits: ListenerLimits,
  isOwn: (address: string) => boolean,
): Connections {
  const speaksTls = server.listenerCount('secureConnection') > 0;
  const open = new Set<Socket>();
  const silent = new Map<string, Socket>();
  const perAddress = new Map<string, number>();
  let held = 0;
  const origin = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

  server.on('connection', (socket: Socket) => {
    const from = socket.remoteAddress ?? '';
    const count = (perAddress.get(from) ?? 0) + 1;
    if (count > limits.maxPerAddress && !isOwn(from)) {
      socket.destroy();
      return;
    }
    held += 1;
    if (held > limits.maxConnections - reservedConnections(limits.maxConnections))
      oldestIdle(open, (raw) => speaksTls && !('encrypted' in raw) && silent.get(origin(raw)) !== raw)?.destroy();
    perAddress.set(from, count);
    open.add(socket);
    const place = origin(socket);
    if (speaksTls) silent.set(place, socket);
    socket.once('close', () => {
      held -= 1;
      open.delete(socket);
      if (silent.get(place) === socket) silent.delete(place);
      const left = (perAddress.get(from) ?? 1) - 1;
      if (left > 0) perAddress.set(from, left);
      else perAddress.delete(from);
    });
  });
  if (speaksTls) {
    server.on('secureConnection', (socket: Socket) => {
      silent.delete(origin(socket));
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    // Before Node's own handler, which destroys the TLS socket.
    server.prependListener('tlsClientError', (error: Error & { readonly code?: string }, socket: Socket) => {
      const plain = silent.get(origin(socket));
      if (plain && notTls.has(error.code ?? ''))
        refuseOn(plain, new HttpProblem(400, 'This port speaks HTTPS. Use an address that begins with https://.'));
    });
  }
  const looks = [lookForStuck(open, limits.writeTimeoutMs), lookForSlow(server, open, limits.requestTimeoutMs)].map(
    (look) => setInterval(look, limits.sweepEveryMs).unref(),
  );
  server.once('close', () => looks.forEach((look) => clearInterval(look)));
  return {
    open,
    dropSilent: () => {
      for (const socket of silent.values()) socket.destroy();
    },
  };
}

/** Connections kept in reserve: once only these are left, a new connection replaces an idle one. */
function reservedConnections(maxConnections: number): number {
  return Math.ceil(maxConnections / 16);
}

/**
 * Node's private fields of a connection: the response under way, and the request whose body is
 * arriving.
 */
interface WithWork {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
}

/**
 * The oldest connection with no request under way: a client that means to send one does so soon,
 * and one that is kept alive costs its client nothing to open again.
 *
 * @param isUnder whether a socket only carries a TLS socket.
 */
function oldestIdle(open: ReadonlySet<Socket>, isUnder: (socket: Socket) => boolean): Socket | undefined {
  for (const socket of open) {
    const { _httpMessage: answer, parser }: WithWork = socket as Socket & WithWork;
    if (!answer && parser?.incoming?.complete !== false && !socket.destroyed && !isUnder(socket)) return socket;
  }
  return undefined;
}

/**
 * Refuses requests whose bodies have not arrived within the timeout, as Node would, but for those of
 * routes with `slowBody`.
 */
function lookForSlow(server: Server, open: ReadonlySet<Socket>, timeoutMs: number): () => void {
  let arriving = new Map<IncomingMessage, number>();
  return () => {
    const now = performance.now();
    const still = new Map<IncomingMessage, number>();
    for (const socket of open) {
      const request = (socket as Socket & WithWork).parser?.incoming;
      if (!request || request.complete || request.slowBody === true) continue;
      const since = arriving.get(request) ?? now;
      still.set(request, since);
      if (now - since < timeoutMs) continue;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (!server.emit('clientError', error, socket)) socket.destroy(error);
    }
    arriving = still;
  };
}

/**
 * Destroys connections whose client has not read a chunk of a response within the timeout. A timer
 * of the socket would be reset by each request, and would also end those that wait for our
 * response.
 */
function lookForStuck(open: ReadonlySet<Socket>, timeoutMs: number): () => void {
  const waiting = new Map<Socket, { readonly written: number; readonly since: number }>();
  return () => {
    const now = Date.now();
    for (const socket of waiting.keys()) if (!open.has(socket) || socket.writableLength === 0) waiting.delete(socket);
    for (const socket of open) {
      if (socket.writableLength === 0) continue;
      const before = waiting.get(socket);
      if (before?.written !== socket.bytesWritten) waiting.set(socket, { written: socket.bytesWritten, since: now });
      else if (now - before.since >= timeoutMs) socket.destroy();
    }
  };
}
