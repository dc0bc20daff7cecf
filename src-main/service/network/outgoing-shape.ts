import type { PastTransferRow } from '../transfers/past-transfers-store.ts';
import type { OutgoingTransfer, PastTransfer } from '../contract/sharing.ts';
import { isoTime } from '../common/iso-time.ts';
import type { Outgoing } from './outgoing-transfers.ts';
import type { TokenStores } from '../tokens/stores.ts';
import type { OAuthStores } from '../oauth/store/stores.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';

/** The API representation of a running transfer. */
export async function outgoingShape(
  { id, transfer, bytesSent, bytesPerSecond, short }: Outgoing,
  deps: TokenStores & Pick<OAuthStores, 'applications'> & Pick<MeasurementStores, 'files'>,
): Promise<OutgoingTransfer> {
  const { principal, address, measurementId, what, fileIndex, range, length, userAgent } = transfer.start;
  const applicationId = principal.oauth?.applicationId ?? null;
  return {
    id,
    short_answers: short,
    username: principal.username,
    token_name: principal.tokenId === null ? null : ((await deps.tokens.byId(principal.tokenId))?.name ?? null),
    application_name: applicationId === null ? null : ((await deps.applications.byId(applicationId))?.name ?? null),
    address,
    measurement_id: measurementId,
    what,
    path: short !== null || fileIndex === null ? null : ((await deps.files.at(measurementId, fileIndex))?.path ?? null),
    range: short === null ? range : null,
    bytes_sent: bytesSent,
    bytes_total: short === null ? length : null,
    bytes_per_second: bytesPerSecond,
    user_agent: userAgent,
    started_at: isoTime(transfer.startedAt),
  };
}

/** The API representation of a finished transfer; times in ISO 8601. */
export function pastTransferShape(row: PastTransferRow): PastTransfer {
  return {
    id: row.id,
    started_at: isoTime(row.started_at),
    ended_at: isoTime(row.ended_at),
    username: row.username,
    ...askedOf(row),
    status: row.status,
    bytes_sent: row.bytes_sent,
    outcome: row.outcome,
    user_agent: row.user_agent,
    requests: row.requests,
  };
}

/** By whom and from where a stored transfer was asked for, and what. */
export function askedOf(
  row: PastTransferRow,
): Pick<PastTransfer, 'token_name' | 'application_name' | 'address' | 'measurement_id' | 'what' | 'path' | 'range'> {
  return {
    token_name: row.token_name,
    application_name: row.application_name,
    address: row.address,
    measurement_id: row.measurement_id,
    what: row.what,
    path: row.path,
    range: row.range,
  };
}
