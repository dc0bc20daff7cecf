import type { ServerResponse } from 'node:http';
import type { Principal } from '../../http/principal.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { QuickRequest } from './quick-request.ts';
import type { TransferStart } from '../transfers/transfer.ts';

/** Who asks for what ahead of the router, with their right to it checked. */
export interface QuickCall {
  readonly response: ServerResponse;
  readonly asked: QuickRequest;
  readonly principal: Principal;
  readonly address: string | null;
  readonly measurement: MeasurementRow;
}

/** What the audit trail says of it. */
export function startOf(call: QuickCall, body: Pick<TransferStart, 'fileIndex' | 'status' | 'length' | 'from' | 'of'>): TransferStart {
  const { asked, principal, address, measurement } = call;
  return {
    principal,
    address,
    userAgent: asked.userAgent,
    measurementId: measurement.id,
    what: asked.what,
    fileCount: measurement.file_count,
    range: asked.rangeHeader,
    ...body,
  };
}
