import type { ServerResponse } from 'node:http';
import type { Principal } from '../../http/principal.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { FastPathRequest } from './fast-path-request.ts';
import type { TransferStart } from '../transfers/transfer.ts';

/** Who asks for what ahead of the router, with their right to it checked. */
export interface AuthorizedRequest {
  readonly response: ServerResponse;
  readonly parsed: FastPathRequest;
  readonly principal: Principal;
  readonly address: string | null;
  readonly measurement: MeasurementRow;
}

/** What the audit trail says of it. */
export function transferStartOf(
  authorized: AuthorizedRequest,
  body: Pick<TransferStart, 'fileIndex' | 'status' | 'length' | 'from' | 'of'>,
): TransferStart {
  const { parsed, principal, address, measurement } = authorized;
  return {
    principal,
    address,
    userAgent: parsed.userAgent,
    measurementId: measurement.id,
    what: parsed.what,
    fileCount: measurement.file_count,
    range: parsed.rangeHeader,
    ...body,
  };
}
