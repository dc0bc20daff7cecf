import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { HttpRequestError } from './http-request-error.ts';

interface Place {
  readonly host: string;
  readonly port: number;
  readonly onread?: OnReadOpts;
}

/**
 * Opens a connection to the server of an address, with TLS where that begins with https.
 *
 * @param certificate SHA-256 of the one to trust, hexadecimal; null: the usual authorities.
 * @param onRead where the bytes go.
 * @param onReady is called when something may be sent: over TLS not before the certificate is proven, because of the token.
 * @returns the socket, which is destroyed with an AskError when it shows another certificate.
 */
export function openConnection(url: URL, certificate: string | null, onRead: OnReadOpts, onReady: () => void): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket =
    url.protocol === 'https:'
      ? connectTls(
          { host, port: Number(url.port || '443'), ...(isIP(host) === 0 ? { servername: host } : {}), onread: onRead },
          certificate,
          onReady,
        )
      : connect({ host, port: Number(url.port || '80'), onread: onRead }, onReady);
  return socket.setNoDelay(true);
}

/**
 * Connects with TLS, to a server whose certificate is signed by an authority, or to one that shows exactly the one that is trusted.
 *
 * @param certificate SHA-256, hexadecimal; null: the usual authorities.
 * @param onVerified is called when the certificate is; until then nothing is to be sent.
 */
export function connectTls(
  options: ConnectionOptions & Place,
  certificate: string | null,
  onVerified: () => void,
): TLSSocket {
  // An import would load it with each start, and it is seldom used; see ask.ts.
  const tls = process.getBuiltinModule('node:tls');
  const tlsOptions = { ...options, ALPNProtocols: ['http/1.1'] };
  if (certificate === null) return tls.connect(tlsOptions, onVerified);
  // Without the usual check, because the certificate itself is compared; a resumed session would show none.
  const socket = tls.connect({ ...tlsOptions, rejectUnauthorized: false }, () => {
    const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
    if (shown === certificate.toLowerCase()) return onVerified();
    return socket.destroy(
      new HttpRequestError(
        'certificate',
        'certificate',
        `${options.host} presents a different certificate than the trusted one. Ask its owner before trusting the new one.`,
      ),
    );
  });
  return socket;
}
