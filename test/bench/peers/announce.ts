import type { Server } from 'node:http';

/** Reports the listening port to the parent process. */
export function announce(server: Server): void {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === 'object' && address ? address.port : 0 }));
}
