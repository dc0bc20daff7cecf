import { parseJson } from '../../../common/parse-json.ts';
import type { HttpClient } from '../../../http-client/http-client.ts';
import { DownloadConnection } from '../../../http-client/download-connection.ts';
import { HttpRequestError } from '../../../http-client/http-request-error.ts';

/** The SHA-256 of each piece of a file, in hexadecimal; the last piece may be shorter. */
export interface PieceList {
  readonly pieceLength: number;
  readonly sha256: readonly string[];
}

const minPieceBytes = 64 * 1024;
const maxPieceBytes = 64 * 1024 * 1024;
const hexDigest = /^[0-9a-f]{64}$/;
// Half a million pieces, two terabytes of a file of Benchport.
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads the hashes of a file's pieces from a possibly hostile server.
 *
 * @param path of the file on the server.
 * @returns null where the server has none, or none that fit the file.
 * @throws HttpRequestError when the server cannot be reached, or the signal's reason.
 */
export async function readPieces(
  client: HttpClient,
  path: string,
  length: number,
  signal: AbortSignal,
): Promise<PieceList | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  const connection = new DownloadConnection(client, () => false);
  try {
    await connection.get({ path: `${path}/pieces`, headers: { accept: 'application/json' }, signal }, () => (part) => {
      bytes += part.length;
      // Bytes beyond the limit are not kept, and make the list unusable.
      if (bytes <= maxBytes) parts.push(Buffer.from(part));
      return undefined;
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HttpRequestError && error.status !== null && error.status < 500) return null;
    throw error;
  } finally {
    connection.close();
  }
  return bytes <= maxBytes ? pieceList(parseJson(Buffer.concat(parts).toString('utf8')), length) : null;
}

// By hand, as a manifest's entries are.
function pieceList(value: unknown, length: number): PieceList | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pieceLength, sha256 } = value as Readonly<Record<string, unknown>>;
  if (typeof pieceLength !== 'number' || !Number.isInteger(pieceLength)) return null;
  if (pieceLength < minPieceBytes || pieceLength > maxPieceBytes || !Array.isArray(sha256)) return null;
  const isList = sha256.every((one): one is string => typeof one === 'string' && hexDigest.test(one));
  return isList && sha256.length === Math.ceil(length / pieceLength) ? { pieceLength, sha256 } : null;
}
