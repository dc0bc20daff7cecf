import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AtOnce } from '../http/answer-first.ts';
import type { Authentication } from '../http/authentication.ts';
import { endWithHead } from '../http/end-with-head.ts';
import type { Metrics } from '../http/health-metrics.ts';
import { httpDate } from '../http/http-date.ts';
import { contentRange } from '../http/multipart.ts';
import type { Scope } from '../contract/scopes.ts';
import { SendBuffers } from './buffer-pool.ts';
import { readSmall } from './copy-file.ts';
import type { ServedFile } from './open-files.ts';
import { readQuickRequest } from './quick-request.ts';
import { endWhenClosed } from './send-representation.ts';
import type { Serving } from './serving.ts';
import type { Transfer } from './transfers.ts';

export interface QuickNeeds {
  readonly auth: Authentication;
  readonly metrics: Metrics;
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly scopes: readonly Scope[];
  readonly keepAliveMilliseconds: number;
}

/**
 * Answers one small range of one file without router, hooks and promises, which cost more than reading and sending it. It makes every check of the
 * ordinary path, from what that path has left behind: the token and the access that were looked up, the file that is open. Where one of them is not at
 * hand or does not hold, or the request has any other form, nothing has happened yet and the ordinary path decides; so there is one place that refuses.
 */
export function quickRange(serving: Serving, needs: QuickNeeds): AtOnce {
  const { transfers, buffers, services } = serving;
  const heads = new WeakMap<ServedFile, string>();
  const headTail = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(needs.keepAliveMilliseconds / 1000)}\r\n\r\n`;
  const date = clock();
  const countAnswer = () => needs.metrics.count('GET', 206);

  /** What every range of a file has in its head: status and headers, up to those that differ. */
  function beginningOf(file: ServedFile): string {
    const kept = heads.get(file);
    if (kept !== undefined) return kept;
    const headers = [...file.bodyHeaders, 'Content-Type', file.contentType];
    let made = 'HTTP/1.1 206 Partial Content\r\n';
    for (let i = 0; i < headers.length; i += 2) made += `${headers[i]}: ${headers[i + 1]}\r\n`;
    heads.set(file, made);
    return made;
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    // Each request has a line in the log at this level; the ordinary path writes it.
    if (transfers.stopping || services.log.isLevelEnabled('debug')) return false;
    const asked = readQuickRequest(request);
    if (!asked || !needs.hostAllowed(asked.host)) return false;
    const { start } = asked.range;
    const principal = needs.auth.peek(asked.token, request.socket.remoteAddress, needs.scopes);
    const measurement = principal && serving.access.peek(principal, asked.measurementId);
    const file = measurement && serving.openFiles.peek(measurement, asked.index);
    if (!file || (asked.ifRange !== null && asked.ifRange !== file.etag)) return false;
    const end = Math.min(asked.range.end, file.row.length);
    const length = end - start;
    if (length <= 0 || length > SendBuffers.small) return false;

    const head = `${beginningOf(file)}Content-Range: ${contentRange({ start, end }, file.row.length)}\r\nContent-Length: ${length}\r\nX-Request-Id: ${randomUUID()}\r\nDate: ${date()}\r\n${headTail}`;
    if (head.length > SendBuffers.headRoom) return false;
    const buffer = buffers.take(SendBuffers.withHead);
    let transfer: Transfer;
    try {
      readSmall({ fd: file.descriptor.fd, root: file.root, pace: file.pace, file: file.row }, buffer.subarray(head.length), start, end);
      transfer = transfers.begin(
        {
          principal,
          address: request.socket.remoteAddress ?? null,
          userAgent: asked.userAgent,
          measurementId: measurement.id,
          what: 'file',
          fileIndex: file.row.idx,
          range: asked.rangeHeader,
          status: 206,
        },
        response,
      );
    } catch {
      // It will fail in the same way on the ordinary path, which knows how to say so.
      buffers.give(buffer);
      return false;
    }
    buffer.write(head, 0, 'latin1');
    endWhenClosed(serving, transfer, buffer, length, countAnswer);
    endWithHead(response, 206, head, buffer.subarray(0, head.length + length));
    return true;
  };
}

/** The Date header of now, made once a second. */
function clock(): () => string {
  let second = 0;
  let text = '';
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      text = httpDate(now * 1000);
    }
    return text;
  };
}
