import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { ownerGuard } from './outgoing-guard.ts';
import { requestFailure } from './http-request-error.ts';

/** Whose certificates are trusted. */
export interface Trust {
  /** SHA-256 of the only trusted certificate, hexadecimal; null uses authorities. */
  readonly certificate: string | null;
  /** PEM of the only trusted authorities; those of the system when left out. */
  readonly ca?: string | null;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly onread?: OnReadOpts;
}

/**
 * Opens a connection to a URL's host, with TLS for https.
 *
 * @param onRead supplies the read buffer and receives the byte counts.
 * @param onReady is called when data may be sent: with TLS only after certificate verification,
 * because the request carries the token.
 * @returns the socket; destroyed with an HttpRequestError if the certificate does not match.
 * @throws OutgoingRefused
 */
export function openConnection(url: URL, trust: Trust, onRead: OnReadOpts, onReady: () => void): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const lookup = ownerGuard().lookupFor(url);
  const socket =
    url.protocol === 'https:'
      ? connectTls(
          {
            host,
            port: Number(url.port || '443'),
            ...(isIP(host) === 0 ? { servername: host } : {}),
            ...(typeof trust.ca === 'string' ? { ca: trust.ca } : {}),
            onread: onRead,
            lookup,
          },
          trust.certificate,
          onReady,
        )
      : connect({ host, port: Number(url.port || '80'), onread: onRead, lookup }, onReady);
  return socket.setNoDelay(true);
}

/**
 * Connects with TLS. Trusts the system's authorities, or exactly one pinned certificate.
 *
 * @param certificate SHA-256, hexadecimal; null uses the system's authorities.
 * @param onVerified is called once the certificate is verified; nothing may be sent before.
 */
export function connectTls(
  options: ConnectionOptions & Place,
  certificate: string | null,
  onVerified: () => void,
): TLSSocket {
  // Loaded on first use, because an import would delay each start; see node-request.ts.
  const tls = process.getBuiltinModule('node:tls');
  const tlsOptions = { ...options, ALPNProtocols: ['http/1.1'] };
  if (certificate === null) return tls.connect(tlsOptions, onVerified);
  // Authority checks are off because the certificate itself is compared. No session resumption: a
  // resumed session has no peer certificate.
  const socket = tls.connect({ ...tlsOptions, rejectUnauthorized: false }, () => {
    const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
    if (shown === certificate.toLowerCase()) return onVerified();
    return socket.destroy(requestFailure('certificate-not-pinned', { host: options.host, hostname: options.host }));
  });
  return socket;
}
