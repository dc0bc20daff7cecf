import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { faultAsProblem, FileFault } from '../storage/file-errors.ts';
import { markFault } from '../block-checks/mark-file.ts';
import { Disconnected } from '../content/response-writer.ts';
import type { Serving } from './serving.ts';
import type { Transfer, TransferStart } from '../transfers/transfer.ts';

/** Ends a transfer whose body of this length leaves in one piece, and takes the buffer back. */
export function endWhenClosed(
  serving: Pick<Serving, 'buffers' | 'transfers'>,
  transfer: Transfer,
  buffer: Buffer,
  length: number,
  onFinished?: () => void,
): void {
  const { response } = transfer;
  // Always comes, after the last byte or instead of it; for a pipelined answer that lost its connection see Transfers.
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

/** What became of a body that did not reach its end. Before the first byte the request can still be answered; after it only the connection can be destroyed. */
export async function explainEnd(
  serving: Serving,
  request: FastifyRequest,
  what: Pick<TransferStart, 'measurementId'>,
  transfer: Transfer,
  begun: boolean,
  error: unknown,
): Promise<void> {
  if (error instanceof Disconnected) {
    // Nobody is left to answer to.
    transfer.response.destroy();
    serving.transfers.end(transfer, 'client-closed');
    return;
  }
  if (begun) return breakOff(serving, request.log, transfer, error);
  const fault = error instanceof FileFault ? error : null;
  if (fault) await markFault(serving.services, what.measurementId, fault);
  else request.log.error({ err: error }, 'a transfer failed');
  const problem = fault ? faultAsProblem(fault) : error;
  if (problem instanceof HttpProblem) transfer.refusedWith(problem.status);
  serving.transfers.end(transfer, fault?.outcome ?? 'read-error');
  throw problem;
}

/** Ends a transfer that failed after its first byte: only the end of the connection can say so. */
export async function breakOff(
  serving: Serving,
  log: Pick<Serving['services']['log'], 'error'>,
  transfer: Transfer,
  error: unknown,
): Promise<void> {
  const fault = error instanceof FileFault ? error : null;
  transfer.cut(fault?.outcome ?? 'read-error');
  if (fault) await markFault(serving.services, transfer.start.measurementId, fault);
  else log.error({ err: error }, 'a transfer failed');
  serving.transfers.end(transfer, fault?.outcome ?? 'read-error');
}

/** Refuses a download whose file is not as registered, before the first byte: the state, the audit row, the answer. */
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

/** What the audit trail says of a request for a representation. */
export function transferStart(
  request: FastifyRequest,
  what: Pick<TransferStart, 'measurementId' | 'what' | 'fileIndex' | 'fileCount'>,
  body: Pick<TransferStart, 'status' | 'length' | 'from' | 'of'>,
): TransferStart {
  return {
    principal: principalOf(request),
    address: request.ip ?? null,
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    measurementId: what.measurementId,
    what: what.what,
    fileIndex: what.fileIndex,
    fileCount: what.fileCount,
    range: request.headers.range?.slice(0, 300) ?? null,
    ...body,
  };
}
