import { isoTime } from '../common/iso-time.ts';
import type { OutgoingTransfer } from '../contract/sharing.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { PastTransferRow } from '../transfers/past-transfers-store.ts';
import type { TransferStores } from '../transfers/stores.ts';
import { askedOf, outgoingShape } from './outgoing-shape.ts';
import type { OutgoingTransfers } from './outgoing-transfers.ts';

type Deps = Parameters<typeof outgoingShape>[1] &
  Pick<TransferStores, 'pastTransfers'> &
  Pick<ServiceContext, 'cluster'> & { readonly outgoing: OutgoingTransfers };

const prefix = 'end-transfer ';

/** Transfers of all replicas by the ids of their rows; rates are known of those of this one alone. */
export async function listOfReplicas(deps: Deps): Promise<readonly OutgoingTransfer[]> {
  const here = deps.outgoing.list();
  const byRow = new Map(here.flatMap((one) => (one.short === null ? [[one.transfer.rowId, one] as const] : [])));
  const rows = await deps.pastTransfers.running();
  const long = rows.map(async (row) => {
    const one = byRow.get(row.id);
    return one ? { ...(await outgoingShape(one, deps)), id: row.id } : shapeOfRow(row);
  });
  const short = here.filter((one) => one.short !== null).map(async (one) => outgoingShape(one, deps));
  return Promise.all([...long, ...short]);
}

/**
 * Ends a transfer at whichever replica it runs. A message that is lost leaves it in the list, where
 * it can be ended again.
 *
 * @returns its row; null when it is over.
 */
export async function endAtReplica(deps: Deps, id: number): Promise<PastTransferRow | null> {
  const row = (await deps.pastTransfers.running()).find((one) => one.id === id);
  if (!row) return null;
  if (!deps.outgoing.endRow(id)) deps.cluster.notify(`${prefix}${id}`);
  return row;
}

/** Ends transfers that were ended at other replicas. @returns a function that stops it. */
export function endWhenToldBy(deps: Pick<Deps, 'cluster' | 'outgoing'>): () => void {
  return deps.cluster.onNotification((text) => {
    if (text.startsWith(prefix)) deps.outgoing.endRow(Number(text.slice(prefix.length)));
  });
}

function shapeOfRow(row: PastTransferRow): OutgoingTransfer {
  return {
    id: row.id,
    short_answers: null,
    username: row.username ?? '',
    ...askedOf(row),
    bytes_sent: row.bytes_sent,
    bytes_total: null,
    bytes_per_second: 0,
    user_agent: row.user_agent,
    started_at: isoTime(row.started_at),
  };
}
