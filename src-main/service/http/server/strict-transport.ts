import { isIP } from 'node:net';
import type { TlsMaterial } from './tls-material.ts';
import { isLoopback } from './host-check.ts';

/**
 * Whether browsers may be told to use only HTTPS for this host (RFC 6797). That binds every port of
 * the name for months, so it requires a configured base URL with a name and the usual port, and a
 * certificate of an authority: with HSTS, users could no longer accept a self-signed one (section
 * 12.1).
 *
 * @param tls of this service; null when a proxy speaks TLS.
 */
export function mayBeStrict(baseUrl: string | null, tls: Pick<TlsMaterial, 'selfSigned'> | null): boolean {
  if (baseUrl === null || tls?.selfSigned === true) return false;
  const { protocol, hostname, port } = new URL(baseUrl);
  const isName =
    isIP(hostname) === 0 && !hostname.startsWith('[') && !isLoopback(hostname) && !hostname.endsWith('.localhost');
  return protocol === 'https:' && port === '' && isName;
}
