import type { ListenOptions, Server } from 'node:net';

/**
 * Starts listening.
 *
 * @throws Error with the code of the system when it cannot.
 */
export async function listen(server: Server, where: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
