import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A line between a browser and a service: 100 Mbit/s each way, 20 ms there and back. */
const bytesPerMs = 12_500;
const delayMs = 10;
const partBytes = 16 * 1024;

export interface SlowLine {
  readonly port: number;
  /** Bytes that came from the service since the last call. */
  takeBytes(): number;
  stop(): Promise<void>;
}

/** One direction, which all connections share. */
class Lane {
  #freeAt = 0;
  bytes = 0;

  /** Sends what one side says to the other, as fast as the line allows, each part after its delay. */
  async carry(from: net.Socket, to: net.Socket): Promise<void> {
    let last: Promise<void> = Promise.resolve();
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += partBytes) {
        const part = chunk.subarray(at, at + partBytes);
        this.bytes += part.length;
        this.#freeAt = Math.max(this.#freeAt, performance.now()) + part.length / bytesPerMs;
        const due = this.#freeAt;
        const before = last;
        last = (async () => {
          await wait(Math.max(0, due + delayMs - performance.now()));
          await before;
          to.write(part);
        })();
        await wait(Math.max(0, due - performance.now()));
      }
    }
    await last;
    to.end();
  }
}

/** Starts a line to a port of this machine. */
export async function startSlowLine(servicePort: number): Promise<SlowLine> {
  const [there, back] = [new Lane(), new Lane()];
  const open = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(servicePort, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.once('close', () => open.delete(socket));
      socket.on('error', () => {
        near.destroy();
        far.destroy();
      });
    }
    // The handshake of a connection takes one way there and back too.
    const carried = wait(2 * delayMs).then(async () => Promise.all([there.carry(near, far), back.carry(far, near)]));
    carried.catch(() => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    takeBytes: () => {
      const { bytes } = back;
      back.bytes = 0;
      return bytes;
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
