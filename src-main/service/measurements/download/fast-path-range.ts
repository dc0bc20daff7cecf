import { closeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { RawHandler } from '../../http/server/raw-handler.ts';
import type { Authentication } from '../../http/authentication.ts';
import type { ByteRange } from '../../http/semantics/byte-ranges.ts';
import { endWithRawHead } from '../content/raw-response.ts';
import { idleSocket } from '../content/idle-socket.ts';
import type { Metrics } from '../../metrics/health-metrics.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { TrustedProxies } from '../../http/server/trusted-proxies.ts';
import { canSendfile, sendfileParts, readParts, type BodyPart, type PartFailure } from './body-parts.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import type { ArchiveSource } from '../content/copy-archive.ts';
import type { CopySource } from '../content/copy-file.ts';
import type { FileIdentity } from '../storage/file-identity.ts';
import { closeMembers, findMembers, cachedMembers, openMembers } from './archive-members.ts';
import { MemberRows, type Member } from './member-rows.ts';
import { parseIndex } from '../../files/file-index.ts';
import { tryOpenVerifiedSync } from '../storage/open-sync.ts';
import type { ServedFile } from '../content/served-file.ts';
import { transferStartOf, type AuthorizedRequest } from './authorized-request.ts';
import { headMaker, type FastPathHead } from './fast-path-head.ts';
import { fastPathManifest } from './fast-path-manifest.ts';
import { parseFastPathRequest } from './fast-path-request.ts';
import { abortTransfer, endWhenClosed } from './end-transfer.ts';
import { archiveSource } from './serve-archive.ts';
import { describeArchive, type FileDescription } from '../content/serve-headers.ts';
import type { Serving } from './serving.ts';
import type { Transfer, TransferStart } from '../transfers/transfer.ts';

export interface FastPathDeps {
  readonly auth: Authentication;
  readonly metrics: Metrics;
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly proxies: TrustedProxies;
  readonly scopes: readonly Scope[];
  readonly keepAliveMs: number;
}

const nothing = Buffer.alloc(0);

/** A response that is ready to be sent, with everything checked except its bytes. */
interface Piece extends FastPathHead {
  readonly response: ServerResponse;
  readonly start: TransferStart;
}

/**
 * Answers one small range of a file or archive, one small file, or a manifest without router, hooks
 * and most promises, which cost more than reading and sending the bytes.
 *
 * It makes every check of the ordinary handler, from values that handler has cached: token, access,
 * open file. Only a small file that is not open is looked up, opened and closed here, because a
 * client that downloads many files requests each of them once.
 *
 * Returns false without side effects unless everything is cached and the request is simple; the
 * ordinary handler then decides, so errors are produced in one place.
 */
export function fastPathRange(serving: Serving, deps: FastPathDeps): RawHandler {
  const { transfers, buffers, services } = serving;
  const makeHead = headMaker(deps.keepAliveMs);
  /** Scratch buffer for a head that is sent before the bytes of a file. */
  const heads = Buffer.allocUnsafeSlow(SendBuffers.headRoom);
  const rows = new MemberRows(services.files);
  const sendManifest = serving.kernel && fastPathManifest(serving, serving.kernel, makeHead, deps.metrics);

  /**
   * Registers a transfer.
   *
   * @returns null when too many run; the ordinary handler then reports that.
   */
  function begin(piece: Piece): Transfer | null {
    try {
      return transfers.begin(piece.start, piece.response);
    } catch {
      return null;
    }
  }

  /**
   * Sends head and body from one buffer, except the first `gone` bytes, which were already sent.
   */
  function send(transfer: Transfer, piece: Piece, head: string, buffer: Buffer, gone: number): void {
    const length = piece.range.end - piece.range.start;
    const socket = serving.kernel ? idleSocket(piece.response) : -1;
    const at =
      gone +
      (serving.kernel && socket >= 0 ? serving.kernel.send(socket, buffer, gone, head.length + length, false) : 0);
    if (at === head.length + length) {
      buffers.give(buffer);
      return sent(transfer, piece, head);
    }
    endWhenClosed(serving, transfer, buffer, length, () => deps.metrics.count('GET', piece.status));
    endWithRawHead(piece.response, piece.status, head, buffer.subarray(at, head.length + length));
  }

  /** Ends a transfer whose bytes the socket has accepted completely. */
  function sent(transfer: Transfer, piece: Piece, head: string): void {
    transfers.sent(transfer, piece.range.end - piece.range.start);
    transfers.end(transfer, 'complete');
    deps.metrics.count('GET', piece.status);
    endWithRawHead(piece.response, piece.status, head, null);
  }

  /**
   * Sends ranges of files, by `sendfile` where it is available and allowed, otherwise through a
   * buffer.
   */
  function sendParts(piece: Piece, head: string, parts: readonly BodyPart[]): boolean {
    const length = piece.range.end - piece.range.start;
    const [first, ...others] = parts;
    const socket =
      serving.kernel && first && canSendfile(parts) && head.length + first.before.length <= heads.length
        ? idleSocket(piece.response)
        : -1;
    let gone = 0;
    let transfer: Transfer | null = null;
    if (serving.kernel && first && socket >= 0) {
      transfer = begin(piece);
      if (!transfer) return false;
      first.before.copy(heads, heads.write(head, 0, 'latin1'));
      const before = heads.subarray(0, head.length + first.before.length);
      gone = sendfileParts(serving.kernel, socket, [{ ...first, before }, ...others]);
      if (gone === head.length + length) {
        sent(transfer, piece, head);
        return true;
      }
    }
    const buffer = buffers.take(SendBuffers.withHead);
    const failure = readParts(parts, buffer.subarray(head.length));
    if (!failure) transfer ??= begin(piece);
    if (failure || !transfer) {
      buffers.give(buffer);
      // When nothing was sent, the ordinary handler fails in the same way and reports the error.
      if (failure && transfer) void abortExplained(transfer, failure);
      return transfer !== null;
    }
    buffer.write(head, 0, 'latin1');
    send(transfer, piece, head, buffer, gone);
    return true;
  }

  async function abortExplained(transfer: Transfer, failure: PartFailure): Promise<void> {
    await abortTransfer(serving, services.log, transfer, await failure.explained());
  }

  /** @returns null when the range is empty or too long, or If-Range does not match. */
  function pieceOf(
    call: AuthorizedRequest,
    description: FileDescription,
    length: number,
    fileIndex: number | null,
  ): Piece | null {
    const { response, parsed } = call;
    if (parsed.ifRange !== null && parsed.ifRange !== description.etag) return null;
    const range: ByteRange = parsed.range
      ? { start: parsed.range.start, end: Math.min(parsed.range.end, length) }
      : { start: 0, end: length };
    const bytes = range.end - range.start;
    if (bytes <= 0 || bytes > SendBuffers.small) return null;
    const status = parsed.range ? 206 : 200;
    const start = transferStartOf(call, { fileIndex, status, length: bytes, from: range.start, of: length });
    return { response, description, length, range, status, start };
  }

  function sendFile(call: AuthorizedRequest, file: ServedFile, fd: number): boolean {
    const piece = pieceOf(call, file, file.row.length, file.row.idx);
    const head = piece && makeHead(piece);
    if (!piece || !head || head.length > SendBuffers.headRoom) return false;
    const { start: from, end: to } = piece.range;
    const whole = from === 0 && to === file.row.length;
    const identity = whole ? null : file.seen;
    const source = {
      fd,
      root: file.root,
      syncIo: file.syncIo,
      file: file.row,
      measurementId: call.measurement.id,
      userId: call.principal.userId,
      checked: serving.checked,
    };
    if (!whole && !(identity && isVerified(source, identity, from, to))) return false;
    return sendParts(piece, head, [{ before: nothing, source, from, to, identity }]);
  }

  function isVerified(source: CopySource, identity: FileIdentity, from: number, to: number): boolean {
    try {
      return (
        serving.checked.known(source.measurementId, source.file.idx, identity, from, to) ||
        serving.checked.checkNow(source, identity)
      );
    } catch {
      return false;
    }
  }

  async function sendUnopened(call: AuthorizedRequest, index: number): Promise<boolean> {
    let fd = -1;
    try {
      const file = await serving.openFiles.lookUp(call.measurement, index);
      if (!file || file.row.length > SendBuffers.small || file.row.state !== 'ok' || !file.syncIo.allowed) return false;
      fd = tryOpenVerifiedSync(serving.kernel, file);
      return fd >= 0 && sendFile(call, file, fd);
    } catch (error) {
      services.log.error({ err: error }, 'a file could not be looked up');
      return false;
    } finally {
      if (fd >= 0) closeSync(fd);
    }
  }

  function sendMembers(call: AuthorizedRequest): boolean | Promise<boolean> {
    const { measurement } = call;
    const piece = pieceOf(call, describeArchive(measurement, serving.archives), measurement.archive_bytes, null);
    if (!piece || piece.range.end > measurement.archive_directory_offset) return false;
    const source = archiveSource(serving, measurement, call.principal.userId);
    if (!source.syncIo.allowed) return false;
    const members = cachedMembers(source, rows, piece.range.start, piece.range.end);
    return members ? sendOpened(piece, source, members) : sendFound(piece, source);
  }

  async function sendFound(piece: Piece, source: ArchiveSource): Promise<boolean> {
    try {
      return sendOpened(piece, source, await findMembers(source, rows, piece.range.start, piece.range.end));
    } catch (error) {
      services.log.error({ err: error }, 'members of an archive could not be looked up');
      return false;
    }
  }

  function sendOpened(piece: Piece, source: ArchiveSource, members: readonly Member[]): boolean {
    const head = makeHead(piece);
    const parts =
      head.length > SendBuffers.headRoom ? null : openMembers(source, members, piece.range.start, piece.range.end);
    if (!parts) return false;
    try {
      return sendParts(piece, head, parts);
    } finally {
      closeMembers(parts);
    }
  }

  return (request, response) => {
    // At this log level each request is logged, which only the ordinary handler does.
    if (transfers.stopping || services.log.isLevelEnabled('debug')) return false;
    const parsed = parseFastPathRequest(request);
    if (!parsed || !deps.hostAllowed(parsed.host)) return false;
    const address = deps.proxies.clientOf(request);
    const principal = deps.auth.peek(parsed.token, address, deps.scopes);
    const measurement = principal && serving.access.peek(principal, parsed.measurementId);
    if (!measurement) return false;
    const call = { response, parsed, principal, address: address ?? null, measurement };
    if (parsed.what === 'manifest') return sendManifest !== null && sendManifest(call);
    if (measurement.object_key !== null) return false;
    if (parsed.index === null) return measurement.problem_count === 0 && sendMembers(call);
    const open = serving.openFiles.findOpen(measurement, parsed.index);
    if (open) return sendFile(call, open, open.descriptor.fd);
    const index = parsed.range === null ? parseIndex(parsed.index) : null;
    return index !== null && sendUnopened(call, index);
  };
}
