import type { Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { errorCode } from '../common/error-code.ts';
import { createListener } from '../http/server/listener.ts';
import { listen } from '../http/server/listen.ts';
import type { ListenerLimits } from '../http/server/listener-limits.ts';
import { refuseUnreadable } from '../http/server/refuse-unreadable.ts';
import { watchConnections } from '../http/server/watch-connections.ts';
import type { App } from '../http/app.ts';
import type { SharingProblem } from '../contract/sharing.ts';
import type { TlsMaterial } from '../http/server/tls-material.ts';

/** The TCP listener for the local network. */
export interface LanListener {
  readonly address: string;
  readonly port: number;
  readonly server: Server;
  /** Its TLS key and certificate; null for http. */
  readonly tls: TlsMaterial | null;
  /** Whether a connection belongs to this listener. */
  has(socket: Socket): boolean;
  /**
   * Stops accepting connections; open ones may finish. @param onEnd called after the last one has
   * ended.
   */
  close(onEnd: () => void): void;
}

/** The reason why an address cannot be listened on. */
export class ListenFailure extends Error {
  readonly problem: SharingProblem;

  constructor(problem: SharingProblem, message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ListenFailure';
    this.problem = problem;
  }
}

/**
 * Opens a second TCP listener of the application, apart from the loopback's, so that a flood from
 * the network never exhausts that one. Requests on it are never the window's: only the private
 * socket can mark them so.
 *
 * @throws ListenFailure
 */
export async function openLanListener(
  app: App,
  address: string,
  port: number,
  limits: ListenerLimits,
  tls: TlsMaterial | null,
): Promise<LanListener> {
  const server = createListener(tls, limits);
  // Requests enter by the loopback's listener, which answers small ranges before the router.
  server.on('request', (request, response) => app.server.emit('request', request, response));
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket as Socket));
  const connections = watchConnections(server, limits, () => false);
  try {
    await listen(server, { host: address, port });
  } catch (error) {
    throw explain(error, address, port);
  }
  return {
    address,
    port,
    server,
    tls,
    has: (socket) => connections.open.has(socket),
    close: (onEnd) => {
      server.close(onEnd);
      connections.dropSilent();
    },
  };
}

// Enough to skip the ports of several users' Benchports.
const portsTried = 50;

/** The next free port above `after` on an address; null when none of the next fifty is free. */
export async function nextFreePort(address: string, after: number): Promise<number | null> {
  for (let port = after + 1; port <= Math.min(after + portsTried, 65_535); port += 1) {
    const server = createTcpServer();
    try {
      await listen(server, { host: address, port });
      await new Promise((resolve) => server.close(resolve));
      return port;
    } catch {
      // In use: try the next port.
    }
  }
  return null;
}

function explain(error: unknown, address: string, port: number): ListenFailure {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return new ListenFailure(
      'port-in-use',
      `Port ${port} on ${address} is in use by another program. Choose another port.`,
      error,
    );
  if (code === 'EACCES') {
    const rule = port < 1024 ? ' Ports below 1024 are for the system.' : '';
    return new ListenFailure(
      'port-forbidden',
      `Port ${port} may not be used by this user.${rule} Choose one above 1023.`,
      error,
    );
  }
  if (code === 'EADDRNOTAVAIL') return new ListenFailure('address-gone', addressGone(address), error);
  return new ListenFailure(
    'unexpected',
    `Listening on ${address} failed: ${error instanceof Error ? error.message : String(error)}.`,
    error,
  );
}

/** Message for an address that this machine no longer has; null means that it has none at all. */
export function addressGone(address: string | null): string {
  return address === null
    ? 'This machine is not connected to a network now. Sharing resumes once it is.'
    : `This machine does not have the address ${address} now. Sharing resumes once it is back, or choose another address.`;
}
