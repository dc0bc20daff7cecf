import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';

/** A port that nobody listens on at this address. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  return listenOnce(0, address);
}

/**
 * Ports that nobody listens on, below those that systems give out: no connection that begins
 * meanwhile takes one of them.
 */
export async function lowPorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = await listenOnce(randomInt(12_000, 32_000), '127.0.0.1').catch(() => null);
    if (port !== null) found.add(port);
  }
  return [...found];
}

async function listenOnce(wanted: number, address: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wanted, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}
