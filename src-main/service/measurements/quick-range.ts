import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AtOnce } from '../http/answer-first.ts';
import type { Authentication } from '../http/authentication.ts';
import type { ByteRange } from '../http/byte-ranges.ts';
import { endWithHead } from '../http/end-with-head.ts';
import { idleSocket } from '../http/idle-socket.ts';
import type { Metrics } from '../http/health-metrics.ts';
import { httpDate } from '../http/http-date.ts';
import { contentRange } from '../http/multipart.ts';
import type { Scope } from '../contract/scopes.ts';
import type { TrustedProxies } from '../network/trusted-proxies.ts';
import { mayPass, passParts, readParts, type BodyPart, type PartFailure } from './body-parts.ts';
import { SendBuffers } from './buffer-pool.ts';
import { closeMembers, openMembers } from './gather-members.ts';
import { MemberRows } from './member-rows.ts';
import type { MeasurementRow } from './measurements-store.ts';
import { readQuickRequest } from './quick-request.ts';
import { breakOff, endWhenClosed } from './send-representation.ts';
import { archiveSource } from './serve-archive.ts';
import { describeArchive, type FileDescription } from './serve-headers.ts';
import type { Serving } from './serving.ts';
import type { Transfer, TransferStart } from './transfers.ts';

export interface QuickNeeds {
  readonly auth: Authentication;
  readonly metrics: Metrics;
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly proxies: TrustedProxies;
  readonly scopes: readonly Scope[];
  readonly keepAliveMilliseconds: number;
}

const nothing = Buffer.alloc(0);

/** What is about to be sent, with everything checked but its bytes. */
interface Piece {
  readonly response: ServerResponse;
  readonly description: FileDescription;
  /** Of the whole. */
  readonly length: number;
  readonly range: ByteRange;
  readonly start: TransferStart;
}

/**
 * Answers one small range of one file or archive without router, hooks and most promises, which cost more than reading and sending it. It makes every
 * check of the ordinary path, from what that path has left behind: the token and the access that were looked up, the file that is open. Where one of them
 * is not at hand or does not hold, or the request has any other form, nothing has happened yet and the ordinary path decides: one place refuses.
 */
export function quickRange(serving: Serving, needs: QuickNeeds): AtOnce {
  const { transfers, buffers, services } = serving;
  const makeHead = headMaker(needs.keepAliveMilliseconds);
  /** A head on its way into the socket. */
  const heads = Buffer.allocUnsafeSlow(SendBuffers.headRoom);
  const rows = new MemberRows(services.files);
  const countAnswer = () => needs.metrics.count('GET', 206);

  /** Takes note of a transfer; null when too many run, which the ordinary path says. */
  function begin(piece: Piece): Transfer | null {
    try {
      return transfers.begin(piece.start, piece.response);
    } catch {
      return null;
    }
  }

  /** Sends head and body that stand in a buffer, but for the first bytes of them, which have gone already. */
  function send(transfer: Transfer, piece: Piece, head: string, buffer: Buffer, gone: number): void {
    const length = piece.range.end - piece.range.start;
    const socket = serving.kernel ? idleSocket(piece.response) : -1;
    const at = gone + (serving.kernel && socket >= 0 ? serving.kernel.send(socket, buffer, gone, head.length + length, false) : 0);
    if (at === head.length + length) {
      buffers.give(buffer);
      return sent(transfer, piece, head);
    }
    endWhenClosed(serving, transfer, buffer, length, countAnswer);
    endWithHead(piece.response, 206, head, buffer.subarray(at, head.length + length));
  }

  /** All of it has gone. */
  function sent(transfer: Transfer, piece: Piece, head: string): void {
    transfers.sent(transfer, piece.range.end - piece.range.start);
    transfers.end(transfer, 'complete');
    countAnswer();
    endWithHead(piece.response, 206, head, null);
  }

  /** Sends parts of files, by the system where it can and may; else they are read into a buffer. */
  function sendParts(piece: Piece, head: string, parts: readonly BodyPart[]): boolean {
    const length = piece.range.end - piece.range.start;
    const [first, ...others] = parts;
    const socket = serving.kernel && first && mayPass(parts) && head.length + first.before.length <= heads.length ? idleSocket(piece.response) : -1;
    let gone = 0;
    let transfer: Transfer | null = null;
    if (serving.kernel && first && socket >= 0) {
      transfer = begin(piece);
      if (!transfer) return false;
      first.before.copy(heads, heads.write(head, 0, 'latin1'));
      const before = heads.subarray(0, head.length + first.before.length);
      gone = passParts(serving.kernel, socket, [{ ...first, before }, ...others]);
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
      // When nothing has gone it fails in the same way on the ordinary path, which knows how to say so.
      if (failure && transfer) void failLate(transfer, failure);
      return transfer !== null;
    }
    buffer.write(head, 0, 'latin1');
    send(transfer, piece, head, buffer, gone);
    return true;
  }

  async function failLate(transfer: Transfer, failure: PartFailure): Promise<void> {
    try {
      await breakOff(serving, services.log, transfer, await failure.explained());
    } catch (error) {
      services.log.error({ err: error }, 'that a file failed could not be stored');
      transfers.end(transfer, 'read-error');
    }
  }

  async function sendMembers(piece: Piece, head: string, measurement: MeasurementRow): Promise<boolean> {
    const source = archiveSource(serving, measurement);
    if (!source.pace.blocking) return false;
    let parts: readonly BodyPart[] | null = null;
    try {
      parts = await openMembers(source, rows, piece.range.start, piece.range.end);
      return parts !== null && sendParts(piece, head, parts);
    } catch (error) {
      services.log.error({ err: error }, 'members of an archive could not be looked up');
      return false;
    } finally {
      if (parts) closeMembers(parts);
    }
  }

  return (request, response) => {
    // Each request has a line in the log at this level; the ordinary path writes it.
    if (transfers.stopping || services.log.isLevelEnabled('debug')) return false;
    const asked = readQuickRequest(request);
    if (!asked || !needs.hostAllowed(asked.host)) return false;
    const address = needs.proxies.clientOf(request);
    const principal = needs.auth.peek(asked.token, address, needs.scopes);
    const measurement = principal && serving.access.peek(principal, asked.measurementId);
    if (!measurement) return false;
    const file = asked.index === null ? null : serving.openFiles.peek(measurement, asked.index);
    if (!file && (asked.index !== null || measurement.problem_count > 0)) return false;
    const description = file ?? describeArchive(measurement, serving.archives);
    if (asked.ifRange !== null && asked.ifRange !== description.etag) return false;

    const whole = file ? file.row.length : measurement.archive_bytes;
    const range = { start: asked.range.start, end: Math.min(asked.range.end, whole) };
    const length = range.end - range.start;
    if (length <= 0 || length > SendBuffers.small || (!file && range.end > measurement.archive_directory_offset)) return false;
    const start: TransferStart = {
      principal,
      address: address ?? null,
      userAgent: asked.userAgent,
      measurementId: measurement.id,
      what: file ? 'file' : 'archive',
      fileIndex: file ? file.row.idx : null,
      range: asked.rangeHeader,
      status: 206,
      length,
    };
    const piece = { response, description, length: whole, range, start };
    const head = makeHead(piece);
    if (head.length > SendBuffers.headRoom) return false;
    if (!file) return sendMembers(piece, head, measurement);
    const source = { fd: file.descriptor.fd, root: file.root, pace: file.pace, file: file.row };
    return sendParts(piece, head, [{ before: nothing, source, from: range.start, to: range.end }]);
  };
}

/** Makes heads as Node would. What they have in common is made once for each file, and the date once a second. */
function headMaker(keepAliveMilliseconds: number): (piece: Piece) => string {
  const beginnings = new WeakMap<FileDescription, string>();
  const end = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMilliseconds / 1000)}\r\n\r\n`;
  let second = 0;
  let date = '';

  function beginningOf(description: FileDescription): string {
    let made = beginnings.get(description);
    if (made === undefined) {
      const headers = [...description.bodyHeaders, 'Content-Type', description.contentType];
      made = 'HTTP/1.1 206 Partial Content\r\n';
      for (let i = 0; i < headers.length; i += 2) made += `${headers[i]}: ${headers[i + 1]}\r\n`;
      beginnings.set(description, made);
    }
    return made;
  }

  return ({ description, length, range }) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      date = httpDate(now * 1000);
    }
    return `${beginningOf(description)}Content-Range: ${contentRange(range, length)}\r\nContent-Length: ${range.end - range.start}\r\nX-Request-Id: ${randomUUID()}\r\nDate: ${date}\r\n${end}`;
  };
}
