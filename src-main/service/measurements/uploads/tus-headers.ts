import { Buffer } from 'node:buffer';
import { HttpProblem, invalidRequest } from '../../common/problem.ts';

/** The version of the protocol (tus.io/protocols/resumable-upload, 1.0.x). */
const tusVersion = '1.0.0';
export const tusHeaders = { 'tus-resumable': tusVersion } as const;
const checksumAlgorithms = ['sha1', 'sha256'] as const;
/** Headers of the answer to OPTIONS (tus 1.0, "OPTIONS"). */
export const tusAbilities = {
  ...tusHeaders,
  'tus-version': tusVersion,
  'tus-extension': 'creation,creation-with-upload,checksum,expiration,termination',
  'tus-checksum-algorithm': checksumAlgorithms.join(','),
} as const;
export const chunkType = 'application/offset+octet-stream';

export interface Checksum {
  readonly algorithm: (typeof checksumAlgorithms)[number];
  readonly digest: Buffer;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** @throws HttpProblem 412 for another version of the protocol. */
export function requireTus(headers: Headers): void {
  if (header(headers, 'tus-resumable') === tusVersion) return;
  throw new HttpProblem(412, `Send the header Tus-Resumable: ${tusVersion}.`, {
    type: 'tus-version',
    headers: { 'tus-version': tusVersion },
  });
}

/**
 * A header with a number of bytes.
 *
 * @throws HttpProblem 400 when it is missing or no such number.
 */
export function bytesHeader(headers: Headers, name: string): number {
  const text = header(headers, name.toLowerCase()) ?? '';
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value))
    throw invalidRequest(`The header ${name} must be a number of bytes.`);
  return value;
}

/**
 * Reads Upload-Metadata: pairs of a key and a value in base64, separated by commas.
 *
 * @throws HttpProblem 400
 */
export function readMetadata(headers: Headers): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>();
  const text = header(headers, 'upload-metadata') ?? '';
  if (text.trim() === '') return metadata;
  for (const pair of text.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ');
    const bytes = Buffer.from(value, 'base64');
    if (key === '' || more.length > 0 || metadata.has(key) || bytes.toString('base64') !== value)
      throw invalidRequest('The header Upload-Metadata must have pairs of a key and a value in base64, each key once.');
    metadata.set(key, utf8(bytes, key));
  }
  return metadata;
}

function utf8(bytes: Buffer, key: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new HttpProblem(400, `The value of ${key} in Upload-Metadata is not UTF-8.`, { cause: error });
  }
}

/**
 * The digest that a body must have; null when the client sent none.
 *
 * @throws HttpProblem 400 for an unknown algorithm.
 */
export function readChecksum(headers: Headers): Checksum | null {
  const text = header(headers, 'upload-checksum');
  if (text === undefined) return null;
  const [name = '', value = ''] = text.trim().split(' ');
  const algorithm = checksumAlgorithms.find((one) => one === name);
  if (algorithm === undefined)
    throw invalidRequest(`The header Upload-Checksum must name one of ${checksumAlgorithms.join(', ')}.`);
  return { algorithm, digest: Buffer.from(value, 'base64') };
}
