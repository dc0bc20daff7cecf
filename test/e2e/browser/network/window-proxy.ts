import { createServer, request as send } from 'node:http';
import type { TestService } from '../../../service/start.ts';

export interface WindowProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A proxy between a browser and the private socket, in place of the window's main process, so that
 * a page of a real service acts as the owner.
 */
export async function openWindowProxy(service: Pick<TestService, 'socketPath' | 'launchSecret'>): Promise<WindowProxy> {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, host: 'localhost', 'x-benchport-launch-secret': service.launchSecret };
    const asked = send(
      { socketPath: service.socketPath, method: incoming.method, path: incoming.url, headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    asked.on('error', () => answer.destroy());
    answer.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
