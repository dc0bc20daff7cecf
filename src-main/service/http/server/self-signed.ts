import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
// Clients trust its fingerprint: a new one every year would only teach people to accept new ones.
const validFor = 10 * 365 * 24 * 3600_000;
const clockSkew = 24 * 3600_000;

/**
 * Makes a key and a self-signed certificate; clients compare its fingerprint.
 *
 * @param names host names and addresses of the certificate.
 * @returns both as PEM.
 */
export async function makeSelfSigned(
  names: readonly string[],
  now: number,
): Promise<{ readonly key: string; readonly cert: string }> {
  // Loaded on demand, once in the life of most services: ten megabytes with its dependencies.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // Positive and not guessable (RFC 5280 section 4.1.2.2).
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    name: 'CN=Benchport',
    notBefore: new Date(now - clockSkew),
    notAfter: new Date(now + validFor),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  });
  const exported = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${exported.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
  return { key, cert: `${certificate.toString('pem')}\n` };
}
