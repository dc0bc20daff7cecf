import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { StartError } from '../../common/start-error.ts';
import { lanAddresses, machineNames } from './lan-addresses.ts';
import { makeSelfSigned } from './self-signed.ts';

/**
 * The source of the certificate: files of an authority, or a self-signed one kept in the data
 * directory.
 */
export type TlsSource =
  | { readonly kind: 'files'; readonly cert: string; readonly key: string }
  | { readonly kind: 'self-signed' };

/** The certificate and key of a listener. */
export interface TlsMaterial {
  /** PEM, with the chain. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /**
   * SHA-256 of the certificate, hexadecimal; clients compare it when no authority has signed the
   * certificate.
   */
  readonly sha256: string;
  readonly selfSigned: boolean;
  /** SHA-256 of the public key (RFC 7469 section 2.4), in the form of `curl --pinnedpubkey`. */
  readonly publicKeyPin: string;
}

/**
 * Reads the certificate and its key, or makes them on first use.
 *
 * @throws StartError that says which file is wrong and how.
 */
export async function tlsMaterial(source: TlsSource, dataDir: string): Promise<TlsMaterial> {
  if (source.kind === 'files')
    return checked(await text(source.cert, 'certificate'), await text(source.key, 'key'), source.cert, source.key);
  const folder = path.join(dataDir, 'tls');
  const [certFile, keyFile] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')];
  if (!existsSync(certFile)) await make(folder, certFile, keyFile);
  return checked(await text(certFile, 'certificate'), await text(keyFile, 'key'), certFile, keyFile);
}

function checked(cert: string, key: string, certFile: string, keyFile: string): TlsMaterial {
  const certificate = parse(() => new X509Certificate(cert), `${certFile} is not a certificate in PEM form.`);
  const privateKey = parse(
    () => createPrivateKey(key),
    `${keyFile} is not a private key in PEM form, or it needs a password.`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw unusable(`The key in ${keyFile} does not belong to the certificate in ${certFile}.`);
  if (certificate.validToDate.getTime() < Date.now()) {
    throw unusable(
      `The certificate in ${certFile} expired on ${certificate.validToDate.toISOString().slice(0, 10)}. Replace it with the renewed one.`,
    );
  }
  const sha256 = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  const publicKey = certificate.publicKey.export({ type: 'spki', format: 'der' });
  const publicKeyPin = `sha256//${createHash('sha256').update(publicKey).digest('base64')}`;
  return { cert, key, sha256, selfSigned: certificate.verify(certificate.publicKey), publicKeyPin };
}

async function make(folder: string, certFile: string, keyFile: string): Promise<void> {
  const names = [
    ...new Set(['localhost', '127.0.0.1', '::1', ...machineNames(), ...lanAddresses().map(({ address }) => address)]),
  ];
  const made = await makeSelfSigned(names, Date.now());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await write(keyFile, made.key);
  // The certificate is written last: if it exists, the key does too.
  await write(certFile, made.cert);
}

async function write(file: string, content: string): Promise<void> {
  const partial = `${file}.partial`;
  const handle = await open(partial, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, file);
}

async function text(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unusable(`The ${what} ${file} cannot be read (${errorCode(error) || 'unknown'}).`, error);
  }
}

function parse<T>(read: () => T, message: string): T {
  try {
    return read();
  } catch (error) {
    throw unusable(message, error);
  }
}

function unusable(message: string, cause?: unknown): StartError {
  return new StartError('unexpected', message, { cause });
}
