import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TlsMaterial } from '../network/tls-material.ts';

/** How long and how slow the head of a request may be, on every door. Slow readers of bodies are the read loop's business. */
const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 20_000, requestTimeout: 30_000, keepAliveTimeout: 72_000 } as const;

/** A server for requests over TCP, with TLS when there is something to speak it with (1.2 and up, the ciphers that Node trusts). */
export function createDoor(tls: TlsMaterial | null, listener?: RequestListener): Server {
  if (!tls) return createServer(limits, listener);
  return createTlsServer({ ...limits, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 }, listener);
}
