import type { AuditStores } from '../../audit/stores.ts';
import type { CopyReason } from '../../contract/copies/copies.ts';
import {
  archiveReader,
  type ArchiveReader,
  type ArchiveReaderDeps,
} from '../../measurements/objects/archive-reader.ts';
import { FileFault } from '../../measurements/storage/file-errors.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import type { ServerAccess } from '../../http-client/http-client.ts';
import { HttpRequestError } from '../../http-client/http-request-error.ts';
import { parseServerUrl, resolveWithin } from '../../http-client/server-url.ts';
import type { ServerStores } from '../../servers/stores.ts';
import { connectionRefusal, UploadFailure } from '../../upload-client/upload-failure.ts';
import { uploadRequests, type SendRequest } from '../../upload-client/upload-requests.ts';
import { Upload } from '../../upload-client/upload.ts';
import type { CopyStores } from '../store/stores.ts';
import type { CopyRow } from '../store/copy-row.ts';
import { challengeCopy, CopyUnverified, receiptOfCopy } from './verify-copy.ts';
import type { RateLimit } from './rate-limit.ts';
import { sentArchive, sentManifest } from './sent-archive.ts';

export type RunDeps = ArchiveReaderDeps &
  Pick<MeasurementStores, 'measurements'> &
  Pick<CopyStores, 'copies'> &
  Pick<AuditStores, 'audit'> &
  ServerStores & { readonly rateLimit: RateLimit };

/** How a run ended; `stopped` by its signal. */
export type CopyRunEnd =
  | { readonly kind: 'verified'; readonly receipt: string }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'wait' | 'ask' | 'fail';
      readonly reason: CopyReason;
      readonly message: string;
      readonly retryAfterMs: number | null;
    };

export interface RunProgress {
  /** @param address where the upload goes on. */
  sent(bytesDone: number, address: string | null): void;
}

/** Sends a copy, or what is left to send of it, and verifies that it arrived. */
export async function runCopy(
  deps: RunDeps,
  row: CopyRow,
  signal: AbortSignal,
  progress: RunProgress,
): Promise<CopyRunEnd> {
  try {
    const { access, measurement, archive } = await openCopy(deps, row, signal);
    const send = uploadRequests(access.token, access.certificate);
    await sendArchive(deps, row, { access, measurement, archive, send }, signal, progress);
    const server = { send, baseUrl: access.baseUrl, signal };
    const receipt = await receiptOfCopy(deps.copies, server, measurement, Date.now());
    await challengeCopy(server, measurement, archive);
    return { kind: 'verified', receipt };
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    return endOf(error);
  }
}

/** A copy's measurement here, and the server that it goes to. */
export interface OpenedCopy {
  readonly access: ServerAccess;
  readonly measurement: MeasurementRow;
  readonly archive: ArchiveReader;
}

/** @throws CopyUnverified when its server or its measurement is gone. */
export async function openCopy(deps: RunDeps, row: CopyRow, signal: AbortSignal): Promise<OpenedCopy> {
  const server = await deps.servers.byBaseUrl(row.base_url);
  const access = server && (await deps.servers.source(server.id));
  if (!access)
    throw new CopyUnverified(
      'server-removed',
      `${row.base_url} is no longer in the list of servers. Add it again, and this continues.`,
    );
  const measurement = await deps.measurements.byId(row.measurement_id);
  if (measurement?.archive_tag !== row.manifest_sha256)
    throw new CopyUnverified('measurement-removed', 'The measurement is no longer here, so it cannot be compared.');
  return { access, measurement, archive: archiveReader(deps, measurement, signal) };
}

async function sendArchive(
  deps: RunDeps,
  row: CopyRow,
  { access, measurement, archive, send }: OpenedCopy & { readonly send: SendRequest },
  signal: AbortSignal,
  progress: RunProgress,
): Promise<void> {
  const server = parseServerUrl(access.baseUrl);
  const target = {
    manifest: sentManifest(deps.files, measurement),
    server,
    id: measurement.id,
    title: measurement.title,
    project: row.project,
  };
  const before = row.upload_url === null ? null : resolveWithin(server, row.upload_url);
  const bytes = sentArchive(archive, measurement.archive_bytes, deps.rateLimit);
  const upload = new Upload(send, target, bytes, before);
  await upload.attempt(signal, (bytesDone) => progress.sent(bytesDone, upload.address?.href ?? null));
}

/** How a run ended that failed. Errors that nobody foresaw are thrown. */
export function endOf(error: unknown): Exclude<CopyRunEnd, { kind: 'verified' | 'stopped' }> {
  if (error instanceof HttpRequestError) return endOf(connectionRefusal(error));
  if (error instanceof UploadFailure) {
    const kind = error.kind === 'retry' ? 'wait' : error.kind === 'ask' ? 'ask' : 'fail';
    return { kind, reason: error.reason, message: error.message, retryAfterMs: error.retryAfterMs };
  }
  if (error instanceof CopyUnverified)
    return {
      kind: error.reason === 'server-removed' ? 'ask' : 'fail',
      reason: error.reason,
      message: error.message,
      retryAfterMs: null,
    };
  if (error instanceof FileFault) {
    // Its bytes are being compared, or its disk does not answer.
    const kind = error.state === 'unchecked' || error.state === 'unreadable' ? 'wait' : 'fail';
    const message = `${error.filePath} is not as it was registered: ${error.message}. Restore and verify it, then try again.`;
    return { kind, reason: 'not-intact', message, retryAfterMs: null };
  }
  throw error;
}
