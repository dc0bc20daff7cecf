import type { ServerResponse } from 'node:http';
import type { Principal } from '../../http/principal.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { FastPathRequest } from './fast-path-request.ts';
import type { TransferStart } from '../transfers/transfer.ts';

/** A request answered ahead of the router, whose credential and access have been checked. */
export interface AuthorizedRequest {
  readonly response: ServerResponse;
  readonly parsed: FastPathRequest;
  readonly principal: Principal;
  readonly address: string | null;
  readonly measurement: MeasurementRow;
}

/** Builds the audit record of the transfer. */
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
