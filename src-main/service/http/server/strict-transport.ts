import { isIP } from 'node:net';
import type { TlsMaterial } from './tls-material.ts';
import { isLoopback } from './host-check.ts';

/**
 * Whether browsers may be told to use nothing but HTTPS for this host (RFC 6797). That binds every port of the name for months, so it takes a base URL
 * that was configured, with a name and the usual port, and a certificate that an authority vouches for: whoever accepts one made here by hand could no
 * longer do so (section 12.1).
 *
 * @param tls what this service speaks TLS with; null when a proxy does.
 */
export function mayBeStrict(baseUrl: string | null, tls: Pick<TlsMaterial, 'selfSigned'> | null): boolean {
  if (baseUrl === null || tls?.selfSigned === true) return false;
  const { protocol, hostname, port } = new URL(baseUrl);
  const isName =
    isIP(hostname) === 0 && !hostname.startsWith('[') && !isLoopback(hostname) && !hostname.endsWith('.localhost');
  return protocol === 'https:' && port === '' && isName;
}
