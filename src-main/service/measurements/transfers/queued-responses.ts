import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Responses to pipelined requests that wait for their turn. Node does not tell them when their
 * connection closes.
 */
export class QueuedResponses {
  readonly #ofSocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Makes a waiting response emit `close` when its connection closes. */
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
      // A response whose turn came has a socket, and Node emits its `close`.
      for (const one of responses) if (one.socket === null) one.emit('close');
    };
    // One listener per connection, however many responses wait.
    if (socket.destroyed) setImmediate(end);
    else socket.once('close', end);
  }

  delete(response: ServerResponse | null): void {
    if (response) this.#ofSocket.get(response.req.socket)?.delete(response);
  }
}
