import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Answers to pipelined requests that wait for their turn. Node tells them nothing of the end of their connection. */
export class QueuedResponses {
  readonly #ofSocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Has an answer hear `close` as soon as its connection is gone. */
  add(response: ServerResponse): void {
    const { socket } = response.req;
    const known = this.#ofSocket.get(socket);
    if (known) {
      known.add(response);
      return;
    }
    const responses = new Set([response]);
    this.#ofSocket.set(socket, responses);
    const end = (): void => {
      // One whose turn has come since is told by Node.
      for (const one of responses) if (one.socket === null) one.emit('close');
    };
    // One listener for each connection, whatever the number of its answers.
    if (socket.destroyed) setImmediate(end);
    else socket.once('close', end);
  }

  delete(response: ServerResponse | null): void {
    if (response) this.#ofSocket.get(response.req.socket)?.delete(response);
  }
}
