import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What Node keeps behind a socket; its own, so each part is looked for. */
interface WithHandle {
  readonly _handle?: { readonly fd?: number } | null;
}

/** Whether bytes may be put into the connection of a response past Node at all: not where something changes them on their way, as TLS does. */
export function canBypassNode(response: ServerResponse): boolean {
  return !('encrypted' in response.req.socket);
}

/**
 * The descriptor of a response's connection while bytes may be put into it past Node: it is this response's turn, and nothing that Node took waits to be
 * sent. To be used at once: later the number may belong to another file.
 *
 * @returns -1 when that is not so.
 */
export function idleSocket(response: ServerResponse): number {
  // A response that waits behind another one has no socket yet.
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
