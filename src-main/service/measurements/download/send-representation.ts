import { readChecked } from './read-checked.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countOf } from '../../common/count-of.ts';
import type { ByteRange } from '../../http/semantics/byte-ranges.ts';
import { checkPreconditions, rangesToSend } from '../../http/semantics/conditional.ts';
import { contentRange, frameRanges } from '../../http/semantics/multipart.ts';
import { HttpProblem } from '../../common/problem.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import { isSystemError, type CopySource } from '../content/copy-file.ts';
import { endWhenClosed, endFailedTransfer, transferStart } from './end-transfer.ts';
import { classifyFileError } from '../storage/file-errors.ts';
import { canDelegateToNginx } from './x-accel-redirect.ts';
import { Disconnected, ResponseWriter } from '../content/response-writer.ts';
import { headerRecord, type FileDescription } from '../content/serve-headers.ts';
import type { FileSelection } from '../../files/file-ranges.ts';
import type { Serving } from './serving.ts';
import type { Transfer, TransferStart } from '../transfers/transfer.ts';

/** A resource to send; `copy` writes a range of its bytes into a body. */
export interface Representation {
  readonly description: FileDescription;
  readonly length: number;
  readonly measurementId: string;
  readonly what: TransferStart['what'];
  readonly fileIndex: number | null;
  /** Number of files in the measurement. */
  readonly fileCount: number;
  /** The files in an archive, where they are not all. */
  readonly selection?: FileSelection;
  readonly copy: (writer: ResponseWriter, start: number, end: number) => Promise<void>;
  /** The open file, where the representation is a single one. */
  readonly source?: CopySource;
  /** Set to ignore Range and send the whole, as RFC 9110 14.2 allows. */
  readonly withoutRanges?: true;
  /** The complete body, where it is in memory. */
  readonly body?: Buffer | null;
  /**
   * Location of the file for X-Accel-Redirect, where the requesting proxy may send the bytes
   * itself.
   */
  readonly internalAddress?: string | null;
}

/** Head, length and producer of the body of one response. */
interface Plan {
  readonly status: 200 | 206;
  readonly length: number;
  readonly headers: readonly string[];
  /** The range of the representation; null for several ranges. */
  readonly piece: ByteRange | null;
  readonly make: (writer: ResponseWriter) => Promise<void>;
}

/** Above this many transfers, small buffers are used: 64 clients then take 8 MiB instead of 32. */
const manyTransfers = 16;

/**
 * Answers GET or HEAD of a representation: preconditions, If-Range, Range, then the body.
 *
 * @throws HttpProblem 412 or 416, or the problem for the state of the file, as long as no byte was
 * sent.
 */
export async function sendRepresentation(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  what: Representation,
): Promise<void> {
  const { description, length } = what;
  const verdict = checkPreconditions(request.headers, description);
  if (verdict === 'precondition-failed')
    throw new HttpProblem(412, 'The current content does not match the condition of the request.');
  if (verdict === 'not-modified') {
    await reply.code(304).headers(headerRecord(description.validatorHeaders)).send();
    return;
  }
  const ranges = what.withoutRanges ? 'whole' : rangesToSend(request.method, request.headers, description, length);
  if (ranges === 'unsatisfiable') {
    throw new HttpProblem(416, `This range is empty: the length is ${countOf(length, 'byte')}.`, {
      headers: { 'content-range': `bytes */${length}`, 'accept-ranges': 'bytes' },
    });
  }
  const plan = planBody(what, ranges);
  if (request.method === 'HEAD') {
    reply.hijack();
    reply.raw.writeHead(200, headOf(request, plan)).end();
    return;
  }
  if (typeof what.internalAddress === 'string' && plan.piece && canDelegateToNginx(request.headers, plan.length)) {
    delegateToNginx(serving, request, reply, what, plan, what.internalAddress);
    return;
  }
  await sendBody(serving, request, reply, what, plan);
}

/**
 * Delegates sending to nginx. The outcome is not known here, so the audit trail only records the
 * delegation.
 */
function delegateToNginx(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  what: Representation,
  plan: Plan,
  address: string,
): void {
  const transfer = serving.transfers.begin(transferStart(request, what, bodyOf(what, plan)), reply.raw);
  reply.hijack();
  const headers: Record<string, string> = {
    ...headerRecord(what.description.bodyHeaders),
    'Content-Type': what.description.contentType,
  };
  // For a whole file nginx adds this header itself.
  if (plan.status === 200) delete headers['Accept-Ranges'];
  reply.raw
    .writeHead(200, { ...headers, 'X-Accel-Redirect': address, 'Content-Length': '0', 'X-Request-Id': request.id })
    .end();
  serving.transfers.end(transfer, 'handed-over');
}

function bodyOf(what: Representation, plan: Plan): Pick<TransferStart, 'status' | 'length' | 'from' | 'of'> {
  return { status: plan.status, length: plan.length, from: plan.piece?.start ?? null, of: what.length };
}

function planBody(what: Representation, ranges: 'whole' | readonly ByteRange[]): Plan {
  const { description, length } = what;
  const [only, ...more] = ranges === 'whole' ? [] : ranges;
  if (!only) {
    return {
      status: 200,
      length,
      headers: [...description.bodyHeaders, 'Content-Type', description.contentType],
      piece: { start: 0, end: length },
      make: (writer) => what.copy(writer, 0, length),
    };
  }
  if (more.length === 0) {
    return {
      status: 206,
      length: only.end - only.start,
      headers: [
        ...description.bodyHeaders,
        'Content-Type',
        description.contentType,
        'Content-Range',
        contentRange(only, length),
      ],
      piece: only,
      make: (writer) => what.copy(writer, only.start, only.end),
    };
  }
  const parts = [only, ...more];
  const frame = frameRanges(parts, description.contentType, length);
  return {
    status: 206,
    length: frame.length,
    headers: [...description.bodyHeaders, 'Content-Type', frame.contentType],
    piece: null,
    make: async (writer) => {
      for (const [i, part] of parts.entries()) {
        await writer.put(Buffer.from(frame.heads[i] ?? '', 'latin1'));
        await what.copy(writer, part.start, part.end);
      }
      await writer.put(Buffer.from(frame.tail, 'latin1'));
    },
  };
}

function headOf(request: FastifyRequest, plan: Plan): string[] {
  return [...plan.headers, 'Content-Length', String(plan.length), 'X-Request-Id', request.id];
}

async function sendBody(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  what: Representation,
  plan: Plan,
): Promise<void> {
  const response = reply.raw;
  const transfer = serving.transfers.begin(transferStart(request, what, bodyOf(what, plan)), response);
  if (what.source?.syncIo.allowed && plan.piece && plan.length <= SendBuffers.small) {
    return sendSmall(serving, request, reply, what, plan, what.source, plan.piece, transfer);
  }
  const writer = new ResponseWriter({
    response,
    buffers: serving.buffers,
    kernel: serving.kernel,
    bufferSize:
      plan.length <= SendBuffers.small || serving.transfers.count > manyTransfers ? SendBuffers.small : SendBuffers.big,
    length: plan.length,
    sendHead: () => {
      reply.hijack();
      response.writeHead(plan.status, headOf(request, plan));
    },
    onSent: (bytes) => serving.transfers.sent(transfer, bytes),
    confirm: () => serving.transfers.confirm(transfer),
  });
  try {
    if (what.body && plan.status === 200) await writer.endWithBuffer(what.body);
    else {
      await plan.make(writer);
      await writer.end();
    }
    serving.transfers.end(transfer, 'complete');
  } catch (error) {
    await endFailedTransfer(serving, request, what, transfer, writer.headSent, error);
  } finally {
    writer.release();
  }
}

/**
 * Sends a small range of a file that is probably in the page cache: one synchronous read, one
 * write.
 */
async function sendSmall(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  what: Representation,
  plan: Plan,
  source: CopySource,
  piece: ByteRange,
  transfer: Transfer,
): Promise<void> {
  const { response } = transfer;
  const buffer = serving.buffers.take(SendBuffers.small);
  try {
    await readChecked(source, buffer, piece);
    if (response.destroyed) throw new Disconnected();
  } catch (error) {
    serving.buffers.give(buffer);
    return endFailedTransfer(
      serving,
      request,
      what,
      transfer,
      false,
      isSystemError(error) ? await classifyFileError(error, source.file, source.root) : error,
    );
  }
  reply.hijack();
  endWhenClosed(serving, transfer, buffer, plan.length);
  response.writeHead(plan.status, headOf(request, plan)).end(buffer.subarray(0, plan.length));
}
