import path from 'node:path';
import { failureText } from '../../service/files/register-failures.ts';
import { readListedArchive } from '../../service/fetching/engine/manifest/listed-archive.ts';
import { ManifestError } from '../../service/fetching/engine/manifest/read-manifest-slices.ts';
import { createHttpClient, type ServerAccess } from '../../service/http-client/http-client.ts';
import { HttpRequestError } from '../../service/http-client/http-request-error.ts';
import { askInTime, expectedOf, type FetchedFiles } from '../../service/receipts/fetched-receipt.ts';
import {
  keepReceiptFile,
  readReceiptFile,
  receiptFileOf,
  ReceiptInTheWay,
  writeReceiptFile,
} from '../../service/receipts/receipt-file.ts';
import { ReceiptUnavailable, requestReceipt } from '../../service/receipts/request-receipt.ts';
import { uploadRequests } from '../../service/upload-client/upload-requests.ts';
import { CommandError } from '../support/terminal.ts';

/** The file of a receipt, and a line about it. */
export interface DownloadReceipt {
  /** Null where the server gives no receipts. */
  readonly file: string | null;
  readonly said: string;
}

/**
 * Gets the receipt of a downloaded measurement, verifies it and keeps it in a file.
 *
 * @param folder of the measurement.
 * @param wanted path of the file, which is replaced; null for `<folder>.receipt.json`.
 * @throws CommandError when the receipt is refused, the server does not answer, or it cannot be kept.
 */
export async function keepDownloadReceipt(
  access: ServerAccess,
  fetched: FetchedFiles,
  { folder, wanted }: { readonly folder: string; readonly wanted: string | null },
  signal: AbortSignal,
): Promise<DownloadReceipt> {
  const { baseUrl } = access;
  try {
    const expected = await expectedNow(access, fetched, signal);
    const file = wanted ?? receiptFileOf(folder);
    const before = wanted === null ? await readReceiptFile(file) : null;
    const known = before?.content.issuer === baseUrl ? before.content.keys : [];
    const server = { send: uploadRequests(access.token, access.certificate), baseUrl, signal };
    const { receipt, keys } = await askInTime(server, async (inTime) =>
      requestReceipt(inTime, expected, { keys: known }),
    );
    const content = { receipt, issuer: baseUrl, keys: keys.keys };
    if (wanted === null) await keepReceiptFile(file, content, expected.manifestSha256);
    else await writeReceiptFile(file, content);
    return { file: path.resolve(file), said: `Receipt: ${file}` };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ReceiptUnavailable && error.reason === 'no-receipt')
      return { file: null, said: error.message };
    throw new CommandError(`It was downloaded and verified, but there is no receipt. ${reasonOf(error)}`);
  }
}

async function expectedNow(access: ServerAccess, fetched: FetchedFiles, signal: AbortSignal) {
  const client = createHttpClient(access, { connections: 1, keepAlive: false });
  try {
    const listed = await readListedArchive(client, fetched.measurementId, signal);
    return expectedOf(fetched, listed, new URL(access.baseUrl).host);
  } finally {
    client.close();
  }
}

function reasonOf(error: unknown): string {
  const isSaid =
    error instanceof ReceiptUnavailable ||
    error instanceof ReceiptInTheWay ||
    error instanceof HttpRequestError ||
    error instanceof ManifestError;
  return isSaid ? error.message : `${failureText(error)}.`;
}
