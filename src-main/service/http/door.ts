import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TlsMaterial } from '../network/tls-material.ts';
import { mostHeadBytes, mostHeaders, type DoorLimits } from './door-limits.ts';
import { http } from './node-http.ts';

/**
 * A server for requests over TCP, with TLS when there is something to speak it with (1.2 and up, the ciphers that Node trusts). Who comes in is watched by
 * `watchConnections`.
 */
export function createDoor(tls: TlsMaterial | null, limits: DoorLimits, listener?: RequestListener): Server {
  const options = {
    maxHeaderSize: mostHeadBytes,
    headersTimeout: limits.head,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.idle,
    connectionsCheckingInterval: limits.lookEvery,
  };
  const server = tls
    ? createTlsServer({ ...options, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 }, listener)
    : http.createServer(options, listener);
  server.maxConnections = limits.inAll;
  // Node leaves headers beyond this number out without a word: one more than allowed shows that there were too many.
  server.maxHeadersCount = mostHeaders + 1;
  return server;
}
