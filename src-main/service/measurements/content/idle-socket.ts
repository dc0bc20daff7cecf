import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Undocumented internals of a Node socket, so each member is optional. */
interface WithHandle {
  readonly _handle?: { readonly fd?: number } | null;
}

/**
 * Whether bytes may be written to the connection of a response without Node: not over TLS, which
 * encrypts them.
 */
export function canBypassNode(response: ServerResponse): boolean {
  return !('encrypted' in response.req.socket);
}

/**
 * Returns the descriptor of a response's connection while it can be written to without Node: it is
 * this response's turn, and Node has no bytes queued. Use it in the same turn of the event loop:
 * later the number may belong to another file.
 *
 * @returns -1 when the connection cannot be written to.
 */
export function idleSocket(response: ServerResponse): number {
  // A pipelined response that waits for an earlier one has no socket yet.
  const socket: (Socket & WithHandle) | null = response.socket;
  if (
    !socket ||
    socket.destroyed ||
    socket.writableEnded ||
    socket.writableCorked > 0 ||
    response.writableLength > 0 ||
    !canBypassNode(response)
  )
    return -1;
  const { _handle: handle } = socket;
  return handle?.fd ?? -1;
}
