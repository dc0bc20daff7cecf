import { Buffer } from 'node:buffer';
import type { ListedArchive } from '../fetching/engine/manifest/listed-archive.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import type { JsonServer } from '../upload-client/json-request.ts';
import { UploadFailure } from '../upload-client/upload-failure.ts';
import { ReceiptUnavailable, type ExpectedBytes, type ObtainedReceipt } from './request-receipt.ts';

const answerWithinMs = 30_000;

/** All files of a fetched measurement, each compared with the manifest. */
export interface FetchedFiles {
  readonly measurementId: string;
  /** Of the manifest that the files were compared with. */
  readonly manifestDigest: Uint8Array | null;
}

/**
 * The measurement that the receipt has to name, by the manifest as the server sends it now.
 *
 * @throws ReceiptUnavailable when it has changed, or lacks what a receipt is about.
 */
export function expectedOf(
  fetched: FetchedFiles,
  { manifestDigest, tag, files, bytes }: ListedArchive,
  host: string,
): ExpectedBytes & { readonly manifestSha256: string } {
  if (fetched.manifestDigest === null || Buffer.compare(fetched.manifestDigest, manifestDigest) !== 0)
    throw new ReceiptUnavailable(
      'receipt-refused',
      `${host} lists other files now than those that were fetched, so a receipt would not be about them.`,
    );
  if (tag === null)
    throw new ReceiptUnavailable(
      'no-receipt',
      `${host} gives no receipts: its manifest lacks the SHA-256 or the time of registration of a file.`,
    );
  return { id: fetched.measurementId, manifestSha256: tag, files, bytes };
}

/**
 * Asks a server, which may hang, for half a minute at most.
 *
 * @param ask with a signal that ends the requests.
 * @throws ReceiptUnavailable for every failure of the server; the signal's reason.
 */
export async function askInTime(
  { baseUrl, signal, send }: JsonServer,
  ask: (server: JsonServer) => Promise<ObtainedReceipt>,
  timeoutMs = answerWithinMs,
): Promise<ObtainedReceipt> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await ask({ baseUrl, send, signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted)
      throw new ReceiptUnavailable('no-answer', `${new URL(baseUrl).host} did not answer within half a minute.`);
    if (error instanceof UploadFailure || error instanceof HttpRequestError)
      throw new ReceiptUnavailable('no-answer', error.message);
    throw error;
  }
}
