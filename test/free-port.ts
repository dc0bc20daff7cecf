import { createServer, type AddressInfo } from 'node:net';

/** A port that nobody listens on at this address. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}
