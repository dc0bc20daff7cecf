import { closeSync, fstatSync, readSync, writeSync } from 'node:fs';
import { countOf } from '../../../common/count-of.ts';
import { HttpRequestError } from '../../../http-client/http-request-error.ts';
import { digestFault, type DigestFault } from '../checksums/check-existing.ts';
import { digestOf, type FileDigest } from '../../../files/file-digest.ts';
import { parseContentLength } from '../../../http-client/response-fields.ts';
import { FileFailure, type InFlightRange, type FetchContext } from './fetch-context.ts';
import { fileAddress } from '../manifest/file-address.ts';
import type { DownloadConnection } from '../../../http-client/download-connection.ts';
import type { FileCommitter, Verified } from './commit-files.ts';
import { inTheWay, targetError } from '../../../files/target-folder-error.ts';
import type { JournalFile } from '../types.ts';

export type SmallFile = JournalFile & { readonly length: number };

/**
 * Fetches a small file as a whole unless a correct one exists.
 *
 * @throws HttpRequestError, FileFailure, TargetError, or the signal's reason.
 */
export async function fetchSmallFile(
  context: FetchContext,
  connection: DownloadConnection,
  committer: FileCommitter,
  file: SmallFile,
): Promise<void> {
  const existing = readExisting(context, file);
  if (existing) return committer.skip(file, existing);
  for (let restarts = file.restarts; ; restarts += 1) {
    const found = await fetchWhole(context, connection, file, (bytes) => verify(context, file, bytes));
    if ('fd' in found) return committer.add(found);
    if (restarts > 0) throw new FileFailure(found.reason, `Fetched twice, and wrong both times: ${found.message}`);
    // It may have been the response to another request.
    connection.stopPipelining();
    await context.journal.record(context.plan.id, [{ kind: 'restart', index: file.index, counts: true }]);
    await context.journal.log(context.plan.id, 'warn', `${found.message} It is fetched again.`);
  }
}

function readExisting({ target }: FetchContext, file: SmallFile): FileDigest | null {
  const fd = target.openFinished(file.path);
  if (fd === null) return null;
  try {
    const { size, nlink } = fstatSync(fd);
    if (size === file.length) {
      const bytes = Buffer.allocUnsafe(file.length);
      const digest = digestOf(bytes.subarray(0, readSync(fd, bytes, 0, file.length, 0)));
      if (digestFault(file, digest) === null) {
        // The process was killed during `finish`: the partial name still exists.
        if (nlink > 1) target.discard(file.path);
        return digest;
      }
    }
  } catch (error) {
    throw targetError(error, file.path);
  } finally {
    closeSync(fd);
  }
  throw inTheWay(file.path, 'another file already has this name');
}

/**
 * @param use receives the bytes, which stay valid until it returns. @returns the result of `use`
 */
async function fetchWhole<Result>(
  context: FetchContext,
  connection: DownloadConnection,
  file: SmallFile,
  use: (bytes: Buffer) => Result,
): Promise<Result> {
  const { counters, signal, throttle, rest } = context;
  let [room, filled]: [Buffer | null, number] = [null, 0];
  let used: { readonly result: Result } | null = null;
  const inFlight: InFlightRange = { index: file.index, start: 0, end: file.length };
  counters.inFlight.add(inFlight);
  try {
    const request = { path: fileAddress(context, file), signal };
    await connection.get(request, ({ status, headers, url }) => {
      if (status !== 200)
        throw new HttpRequestError('bad-response', `${url.host} answers with the status ${status} to a plain request.`);
      const length = parseContentLength(headers);
      if (length !== null && length !== file.length) throw wrongLength(file, length);
      return (part) => {
        counters.received(part.length);
        if (filled + part.length > file.length) throw wrongLength(file, null);
        filled += part.length;
        const wait = throttle(part.length);
        // Nearly always the body arrives in one part, which is then used without a copy.
        if (part.length === length && wait <= 1) used = { result: use(part) };
        else (room ??= Buffer.allocUnsafeSlow(file.length)).set(part, filled - part.length);
        return wait > 1 ? rest(wait, signal) : undefined;
      };
    });
    if (filled < file.length)
      throw new HttpRequestError('disconnected', 'The connection was closed before everything had arrived.');
    counters.filesReceived += 1;
    return used === null ? use(room ?? Buffer.alloc(0)) : (used as { readonly result: Result }).result;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    counters.inFlight.delete(inFlight);
  }
}

function verify(context: FetchContext, file: SmallFile, bytes: Buffer): Verified | DigestFault {
  const digest = digestOf(bytes);
  return digestFault(file, digest) ?? { file, ...written(context, file, bytes), digest, counted: 0 };
}

function written({ target }: FetchContext, file: SmallFile, bytes: Buffer): Pick<Verified, 'fd' | 'unnamed'> {
  const unnamed = target.createUnnamed(file.path);
  const fd = unnamed ?? target.create(file.path);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return { fd, unnamed: unnamed !== null };
  } catch (error) {
    closeSync(fd);
    throw targetError(error, file.path);
  }
}

/** `length` null: more than the manifest says. */
export function wrongLength(file: JournalFile, length: number | null): FileFailure {
  const sent = length === null ? 'more' : countOf(length, 'byte');
  return new FileFailure(
    'length-mismatch',
    `The server sends ${sent} instead of the ${countOf(file.length ?? 0, 'byte')} that its manifest says.`,
  );
}
