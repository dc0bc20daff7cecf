import { chmod, mkdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { StartError } from '../../common/start-error.ts';
import type { App } from '../app.ts';
import { listen } from './listen.ts';
import { http } from '../../common/node-http.ts';

/**
 * Listens on a TCP host and port.
 *
 * @returns the port.
 * @throws StartError `port-in-use` with a line that says what to do.
 */
export async function listenOnTcp(app: App, host: string, port: number): Promise<number> {
  try {
    // fastify's own log line would say http:// for HTTPS too, because our server speaks TLS.
    await app.listen({
      host,
      port,
      listenTextResolver: (address) => `Listening on ${address.replace(/^http:\/\//, '')}`,
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE')
      throw new StartError(
        'port-in-use',
        `Port ${port} on ${host} is in use. Stop the other program, or choose another port with --port.`,
        { cause: error },
      );
    if (code === 'EACCES')
      throw new StartError(
        'port-in-use',
        `Port ${port} may not be used by this user. Choose one above 1023 with --port.`,
        { cause: error },
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(
        'port-in-use',
        `${host} is not an address of this machine. Choose another one with --host.`,
        { cause: error },
      );
    throw error;
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/**
 * Listens for the window with the same application on a Unix socket (a named pipe on Windows) that
 * only its owner can reach.
 */
export async function listenOnPrivateSocket(app: App, socketPath: string): Promise<Server> {
  const server = http.createServer((request, response) => {
    request.viaPrivateSocket = true;
    app.routing(request, response);
  });
  const pipe = socketPath.startsWith('\\\\');
  if (!pipe) {
    await mkdir(path.dirname(socketPath), { recursive: true, mode: 0o700 });
    await rm(socketPath, { force: true });
  }
  await listen(server, { path: socketPath });
  if (!pipe) await chmod(socketPath, 0o600);
  return server;
}

/** The number of open connections of these listeners together. */
export async function openConnections(listeners: readonly Server[]): Promise<number> {
  const counts = await Promise.all(
    listeners.map(
      (door) => new Promise<number>((resolve) => door.getConnections((error, count) => resolve(error ? 0 : count))),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Closes all listeners and waits for their requests. Connections that are left when the grace
 * period ends are cut.
 *
 * @param network the servers that listen on the network at this moment.
 */
export async function closeListeners(
  app: Pick<App, 'server' | 'close'>,
  windowListener: Server | null,
  network: () => readonly Server[],
  graceMs: number,
): Promise<void> {
  const servers = () => [app.server, ...(windowListener ? [windowListener] : []), ...network()];
  // Clients keep a connection alive after its last request; waiting for them would only delay the
  // end.
  const sweepIdle = setInterval(() => servers().forEach((server) => server.closeIdleConnections()), 100);
  const cut = setTimeout(() => servers().forEach((server) => server.closeAllConnections()), graceMs);
  // The last requests of the window still need the database.
  const windowClosed = new Promise((resolve) => (windowListener ? windowListener.close(resolve) : resolve(null)));
  await app.close();
  await windowClosed;
  clearInterval(sweepIdle);
  clearTimeout(cut);
}
