import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';

/** A self-signed certificate for the loopback. */
export interface SelfSigned {
  /** Certificate and key in PEM. */
  readonly key: string;
  readonly cert: string;
  /** SHA-256 fingerprint, hexadecimal. */
  readonly sha256: string;
}

/** Makes a certificate that is valid for two days. */
export function selfSigned(): SelfSigned {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=lab', '-days', '2'];
  const both = execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', '-', '-out', '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const at = both.indexOf('-----BEGIN CERTIFICATE-----');
  const cert = both.slice(at);
  return {
    key: both.slice(0, at),
    cert,
    sha256: new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}
