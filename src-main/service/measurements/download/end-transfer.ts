import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { faultAsProblem, FileFault } from '../storage/file-errors.ts';
import { markFault } from '../block-checks/mark-file.ts';
import { Disconnected } from '../content/response-writer.ts';
import type { Serving } from './serving.ts';
import { filesPrefix, type Transfer, type TransferStart } from '../transfers/transfer.ts';
import type { FileSelection } from '../../files/file-ranges.ts';

/**
 * Ends a transfer whose body is sent in one write of `length` bytes, and returns the buffer to the
 * pool.
 */
export function endWhenClosed(
  serving: Pick<Serving, 'buffers' | 'transfers'>,
  transfer: Transfer,
  buffer: Buffer,
  length: number,
  onFinished?: () => void,
): void {
  const { response } = transfer;
  // 'close' is emitted after the last byte or instead of it; Transfers handles a pipelined response
  // that lost its connection.
  response.once('close', () => {
    serving.buffers.give(buffer);
    const finished = response.writableFinished;
    if (finished) {
      serving.transfers.sent(transfer, length);
      onFinished?.();
    }
    serving.transfers.end(transfer, finished ? 'complete' : 'client-closed');
  });
}

/**
 * Records why a body did not reach its end. Before the first byte the request can still be answered
 * with an error; after it only the connection can be destroyed.
 *
 * @throws HttpProblem, or the original error, when no byte has been sent.
 */
export async function endFailedTransfer(
  serving: Serving,
  request: FastifyRequest,
  what: Pick<TransferStart, 'measurementId'>,
  transfer: Transfer,
  begun: boolean,
  error: unknown,
): Promise<void> {
  if (error instanceof Disconnected) {
    // The client is gone, so there is no response to send.
    transfer.response.destroy();
    serving.transfers.end(transfer, 'client-closed');
    return;
  }
  if (begun) return abortTransfer(serving, request.log, transfer, error);
  const fault = error instanceof FileFault ? error : null;
  await noteFailure(serving, request.log, what.measurementId, error);
  const problem = fault ? faultAsProblem(fault) : error;
  if (problem instanceof HttpProblem) transfer.refusedWith(problem.status);
  serving.transfers.end(transfer, fault?.outcome ?? 'read-error');
  throw problem;
}

/**
 * Ends a transfer that failed after its first byte: only closing the connection can tell the
 * client.
 */
export async function abortTransfer(
  serving: Serving,
  log: Pick<Serving['services']['log'], 'error'>,
  transfer: Transfer,
  error: unknown,
): Promise<void> {
  const fault = error instanceof FileFault ? error : null;
  const outcome = fault?.outcome ?? 'read-error';
  transfer.cut(outcome);
  await noteFailure(serving, log, transfer.start.measurementId, error);
  serving.transfers.end(transfer, outcome);
}

/**
 * Refuses a download before its first byte because the file is not as registered: stores the file's
 * state, writes the audit row, and throws the HttpProblem.
 */
export async function refuseFault(
  serving: Serving,
  request: FastifyRequest,
  what: Pick<TransferStart, 'measurementId' | 'what' | 'fileIndex' | 'fileCount'>,
  fault: FileFault,
): Promise<never> {
  const problem = faultAsProblem(fault);
  await markFault(serving.services, what.measurementId, fault);
  if (request.method === 'GET')
    serving.transfers.refused(
      transferStart(request, what, { status: problem.status, length: 0, from: null, of: 0 }),
      fault.outcome,
    );
  throw problem;
}

/** Builds the audit record for a request that went through the router. */
export function transferStart(
  request: FastifyRequest,
  what: Pick<TransferStart, 'measurementId' | 'what' | 'fileIndex' | 'fileCount' | 'selection'>,
  body: Pick<TransferStart, 'status' | 'length' | 'from' | 'of'>,
): TransferStart {
  const { selection } = what;
  return {
    principal: principalOf(request),
    address: request.ip ?? null,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    measurementId: what.measurementId,
    what: what.what,
    fileIndex: what.fileIndex,
    fileCount: what.fileCount,
    ...(selection ? { selection } : {}),
    range: rangeText(selection, request.headers.range),
    ...body,
  };
}

const maxRangeText = 300;
const isList = new RegExp(`^${filesPrefix}`);

function rangeText(selection: FileSelection | undefined, range: string | undefined): string | null {
  // A header of another unit is ignored, and must not read as if it had selected files.
  if (!selection) return range?.replace(isList, 'ignored $&').slice(0, maxRangeText) ?? null;
  const files = filesPrefix + selection.text;
  const text = range === undefined ? files : `${files} ${range}`;
  // A copy: a part of a string keeps the whole of it in memory, and rows outlive their requests.
  return Buffer.from(text.slice(0, maxRangeText)).toString();
}

/** Stores the fault of a file, or logs why it could not be stored, and any other failure. */
async function noteFailure(
  { services }: Pick<Serving, 'services'>,
  log: Pick<Serving['services']['log'], 'error'>,
  measurementId: string,
  error: unknown,
): Promise<void> {
  // A 503 was logged by the code that raised it, once for all requests that get it.
  if (error instanceof HttpProblem && error.status === 503) return;
  if (!(error instanceof FileFault)) return log.error({ err: error }, 'a transfer failed');
  try {
    await markFault(services, measurementId, error);
  } catch (unstored) {
    log.error({ err: unstored }, 'the failure of a file could not be stored');
  }
}
