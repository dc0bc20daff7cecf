import { HttpProblem } from '../../common/problem.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { FetchReceipt } from '../../contract/copies/fetch-receipts.ts';
import { failureText } from '../../files/register-failures.ts';
import type { ServerAccess } from '../../http-client/http-client.ts';
import { askInTime, expectedOf } from '../../receipts/fetched-receipt.ts';
import {
  keepReceiptFile,
  readReceiptFile,
  receiptFileOf,
  ReceiptInTheWay,
  type KeptReceipt,
} from '../../receipts/receipt-file.ts';
import { receiptOfKnownIssuer, ReceiptUnavailable, type IssuerKeys } from '../../receipts/request-receipt.ts';
import type { ServerStores } from '../../servers/stores.ts';
import { uploadRequests } from '../../upload-client/upload-requests.ts';
import type { ListedArchive } from '../engine/manifest/listed-archive.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchStores } from '../store/stores.ts';

export interface FetchReceiptDeps extends ServerStores, Pick<FetchStores, 'fetches' | 'fetchJournal'> {
  /** Keys of servers, which are known from copies too. */
  readonly copies: IssuerKeys;
  /** The archive that follows from a server's manifest. @throws HttpProblem 502. */
  readonly listedArchive: (source: ServerAccess, measurementId: string) => Promise<ListedArchive>;
}

/** The receipt that is kept of a fetch, and whether there can be one. */
export async function fetchReceipt(deps: Pick<FetchReceiptDeps, 'fetches'>, row: FetchRow): Promise<FetchReceipt> {
  const file = receiptFileOf(row.target);
  const available = await isWhole(deps, row);
  try {
    const kept = available ? await readReceiptFile(file) : null;
    if (kept !== null && !isAbout(kept, row))
      return { available, file, kept: null, problem: `${file} is the receipt of other files.` };
    return { available, file, kept: kept && shapeOf(kept), problem: null };
  } catch (error) {
    const problem = error instanceof ReceiptInTheWay ? error.message : `${file}: ${failureText(error)}.`;
    return { available, file, kept: null, problem };
  }
}

/**
 * Asks the server for the receipt of what was fetched, verifies it, and keeps it beside the folder.
 *
 * @throws HttpProblem 409 when there can be none here, 502 when the server gives none.
 */
export async function keepFetchReceipt(deps: FetchReceiptDeps, row: FetchRow, signal: AbortSignal): Promise<void> {
  if (!(await isWhole(deps, row)))
    throw new HttpProblem(409, 'There is a receipt only of a whole measurement, when all of its files are verified.', {
      type: 'not-whole',
    });
  const access = await accessOf(deps, row);
  const { measurement_id: measurementId } = row;
  const { manifestDigest } = await deps.fetches.order(row.id);
  const file = receiptFileOf(row.target);
  try {
    const listed = await deps.listedArchive(access, measurementId);
    const expected = expectedOf({ measurementId, manifestDigest }, listed, new URL(access.baseUrl).host);
    const send = uploadRequests(access.token, access.certificate);
    const { receipt, keys } = await askInTime({ send, baseUrl: access.baseUrl, signal }, async (server) =>
      receiptOfKnownIssuer(deps.copies, server, expected, Date.now()),
    );
    await keepReceiptFile(file, { receipt, issuer: access.baseUrl, keys: keys.keys }, expected.manifestSha256);
  } catch (error) {
    throw problemOf(error, file);
  }
  await deps.fetchJournal.log(row.id, 'info', `The receipt of the server is kept in ${file}.`);
}

async function isWhole({ fetches }: Pick<FetchReceiptDeps, 'fetches'>, row: FetchRow): Promise<boolean> {
  if (row.state !== 'done' || row.verified_at === null) return false;
  return (await fetches.order(row.id)).chosen === null;
}

async function accessOf({ servers }: ServerStores, row: FetchRow): Promise<ServerAccess> {
  const server = row.server_id === null ? null : await servers.byId(row.server_id);
  const known = server ?? (await servers.byBaseUrl(row.base_url));
  const access = known && (await servers.source(known.id));
  if (access) return access;
  throw new HttpProblem(409, 'The server is no longer in the list. Add it again to ask it for the receipt.', {
    type: 'server-removed',
  });
}

/** By the totals, because a fetch has no digest of the archive. */
function isAbout({ claims: { measurement } }: KeptReceipt, row: FetchRow): boolean {
  if (measurement.id !== row.measurement_id) return false;
  if (row.what === 'archive') return true;
  return measurement.files === row.files_total && measurement.bytes === row.bytes_total;
}

function shapeOf({ claims, content }: KeptReceipt): FetchReceipt['kept'] {
  return {
    issued_by: claims.iss,
    issued_to: claims.sub,
    issued_at: isoTime(claims.iat * 1000),
    manifest_sha256: claims.measurement.manifest_sha256,
    content,
  };
}

function problemOf(error: unknown, file: string): unknown {
  if (error instanceof ReceiptUnavailable)
    return new HttpProblem(502, `${error.message} What was fetched is complete all the same.`, { type: error.reason });
  if (error instanceof ReceiptInTheWay) return new HttpProblem(409, error.message, { type: 'file-in-the-way' });
  if (!(error instanceof HttpProblem) && error instanceof Error && 'code' in error)
    return new HttpProblem(409, `The receipt cannot be kept in ${file}: ${failureText(error)}.`, {
      type: 'not-writable',
      cause: error,
    });
  return error;
}
