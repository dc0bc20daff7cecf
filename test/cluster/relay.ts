import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** An address that leads to a port of this machine, until it leads to another one. */
export interface Relay {
  readonly port: number;
  /** Cuts all connections. @param port where new ones lead; null refuses them. */
  readonly switchTo: (port: number | null) => void;
  readonly end: () => Promise<void>;
}

export async function startRelay(first: number): Promise<Relay> {
  let target: number | null = first;
  const open = new Set<Socket>();
  const server = createServer((from) => {
    if (target === null) return void from.destroy();
    const to = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
    return undefined;
  });
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return {
    port: address.port,
    switchTo: (port) => {
      target = port;
      cut();
    },
    end: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
