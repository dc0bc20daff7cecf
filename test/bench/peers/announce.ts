import type { Server } from 'node:http';

/** Tells the process that started this one where it listens. */
export function announce(server: Server): void {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === 'object' && address ? address.port : 0 }));
}
