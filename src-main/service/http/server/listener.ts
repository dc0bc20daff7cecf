import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TlsMaterial } from './tls-material.ts';
import { maxHeadBytes, maxHeaders, type ListenerLimits } from './listener-limits.ts';
import { http } from '../../common/node-http.ts';

/**
 * The cipher suites of TLS 1.3, and for TLS 1.2 those of Mozilla's intermediate configuration
 * (Server Side TLS, version 5.7) with forward secrecy and AEAD.
 */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

const tlsOptions = {
  minVersion: 'TLSv1.2',
  ciphers: ciphers.join(':'),
  ecdhCurve: 'X25519:P-256:P-384',
  handshakeTimeout: 10_000,
} as const;

/**
 * A server for requests over TCP, with TLS when given (1.3, and 1.2 with the suites above). Its
 * connections are guarded by `watchConnections`.
 */
export function createListener(tls: TlsMaterial | null, limits: ListenerLimits, listener?: RequestListener): Server {
  const options = {
    maxHeaderSize: maxHeadBytes,
    headersTimeout: limits.headTimeoutMs,
    // Ended by `watchConnections`, which knows bodies that may take long.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: limits.sweepEveryMs,
  };
  const server = tls
    ? createTlsServer({ ...options, ...tlsOptions, cert: tls.cert, key: tls.key }, listener)
    : http.createServer(options, listener);
  server.maxConnections = limits.maxConnections;
  // Node silently drops headers beyond this number; one more than allowed shows that there were too
  // many.
  server.maxHeadersCount = maxHeaders + 1;
  return server;
}
