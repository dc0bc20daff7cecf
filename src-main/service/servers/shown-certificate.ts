import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import tls from 'node:tls';
import type { ShownCertificate } from '../contract/servers.ts';
import { HttpRequestError, requestFailure, toHttpRequestError } from '../http-client/http-request-error.ts';
import { ownerGuard } from '../http-client/outgoing-guard.ts';
import { shownName } from '../files/inspect-findings.ts';

const timeoutMs = 10_000;

/**
 * The certificate that a server presents. Nothing is verified and no request is sent: it is for
 * comparison with the one that the server's owner states.
 *
 * @throws HttpRequestError
 */
export async function shownCertificate(baseUrl: string): Promise<ShownCertificate> {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:')
    throw new HttpRequestError('no-tls', `${url.host} uses plain http, so it has no certificate.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const lookup = ownerGuard().lookupFor(url);
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      host,
      port: url.port === '' ? 443 : Number(url.port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
      lookup,
    });
    const end = (settle: () => void): void => {
      clearTimeout(late);
      socket.destroy();
      settle();
    };
    const late = setTimeout(() => end(() => reject(requestFailure('timed-out', url))), timeoutMs);
    socket.on('error', (error) => end(() => reject(toHttpRequestError(error, url))));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      end(() =>
        certificate ? resolve(shapeOf(certificate)) : reject(toHttpRequestError(new Error('no certificate'), url)),
      );
    });
  });
}

function shapeOf(certificate: X509Certificate): ShownCertificate {
  const subject = /^CN=(.+)$/m.exec(certificate.subject)?.[1] ?? certificate.subjectAltName ?? 'without a name';
  return {
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: shownName(subject),
    valid_to: new Date(certificate.validTo).toISOString(),
  };
}

/** A fingerprint in groups of four digits, for comparison by people. */
export function readableFingerprint(sha256: string): string {
  return sha256.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
