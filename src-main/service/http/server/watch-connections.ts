import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerLimits } from './listener-limits.ts';
import { HttpProblem } from '../../common/problem.ts';
import { refuseOn } from './refuse-unreadable.ts';

/** The connections of one door. */
export interface Connections {
  /** Those that are open, with TLS also as what speaks it. */
  readonly open: ReadonlySet<Socket>;
  /** Closes those that have not even begun to speak TLS: nothing of theirs runs, and they would hold up the end until the time for a handshake is over. */
  dropSilent(): void;
}

// OpenSSL's words for a first record that is none of TLS.
const notTls = new Set(['ERR_SSL_HTTP_REQUEST', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_HTTPS_PROXY_REQUEST']);

/**
 * Watches who comes in at a door: closes connections beyond what one address may hold, lets go of clients that take nothing, and tells those who speak
 * plain HTTP where TLS is spoken.
 *
 * @param isOwn whether an address may hold as many as the door: this machine itself, or a proxy that many come through.
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
    // Ahead of Node's own, which ends what would have spoken TLS.
    server.prependListener('tlsClientError', (error: Error & { readonly code?: string }, socket: Socket) => {
      const plain = silent.get(origin(socket));
      if (plain && notTls.has(error.code ?? ''))
        refuseOn(plain, new HttpProblem(400, 'This port speaks HTTPS. Use an address that begins with https://.'));
    });
  }
  const look = setInterval(lookForStuck(open, limits.writeTimeoutMs), limits.sweepEveryMs).unref();
  server.once('close', () => clearInterval(look));
  return {
    open,
    dropSilent: () => {
      for (const socket of silent.values()) socket.destroy();
    },
  };
}

/** Connections that are not used up: a new one takes the place of one that asks for nothing. */
function reservedConnections(maxConnections: number): number {
  return Math.ceil(maxConnections / 16);
}

/** What Node keeps with a connection: the answer that it is busy with, and the request whose body is arriving. */
interface WithWork {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
}

/**
 * The oldest connection that has sent no whole head: whoever means to ask does so soon, and one that is kept for later costs its client nothing to open again.
 *
 * @param isUnder whether it only carries another one.
 */
function oldestIdle(open: ReadonlySet<Socket>, isUnder: (socket: Socket) => boolean): Socket | undefined {
  for (const socket of open) {
    const { _httpMessage: answer, parser }: WithWork = socket as Socket & WithWork;
    if (!answer && parser?.incoming?.complete !== false && !socket.destroyed && !isUnder(socket)) return socket;
  }
  return undefined;
}

/**
 * Ends connections whose client has not taken a piece of an answer for so long. No timer of the socket: it would be set anew with each request, and would
 * also end those that wait for an answer of ours.
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
