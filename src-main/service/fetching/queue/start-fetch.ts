import type { FetchReason } from '../../contract/fetches.ts';
import type { FetchSettings } from '../../contract/fetch-settings.ts';
import { notEnoughSpace, spaceNeeded } from '../disk/required-space.ts';
import type { DiskSpace } from '../disk/disk-space.ts';
import type { ServerAccess } from '../../http-client/http-client.ts';
import type { FetchPlan } from '../engine/types.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchesStore } from '../store/fetches-store.ts';
import type { KnownServer } from './fetch-servers.ts';

/** The problem that the user must solve before the fetch can start. */
interface Refusal {
  readonly reason: FetchReason;
  readonly message: string;
}

/** A fetch that can start, or why it cannot. */
export type Prepared =
  | { readonly plan: FetchPlan; readonly disk: string; readonly serverId: number | null; readonly refusal: null }
  | { readonly plan: null; readonly refusal: Refusal };

export interface PrepareDeps {
  readonly fetches: FetchesStore;
  readonly settings: FetchSettings;
  readonly server: KnownServer | null;
  source(serverId: number): Promise<ServerAccess | null>;
  diskSpace(target: string): Promise<DiskSpace | null>;
  /** Bytes that other running fetches will still write to a disk. */
  reservedBytes(disk: string): number;
}

/** Checks that a fetch has its server, folder and disk space. Sends no requests. */
export async function prepareFetch(row: FetchRow, deps: PrepareDeps): Promise<Prepared> {
  const verifying = row.ended_at !== null;
  const source = deps.server && (await deps.source(deps.server.id));
  if (!source && !verifying)
    return asks('no-access', `${row.base_url} is no longer in the list of servers. Add it again, and this continues.`);
  const room = await deps.diskSpace(row.target);
  if (!room || (row.bytes_done > 0 && !room.made)) {
    return asks('target-missing', `${row.target} does not exist. Connect its disk again, or choose another folder.`);
  }
  const free = room.free - deps.reservedBytes(room.disk);
  const needed = await spaceNeeded(row, free);
  if (!verifying && free < needed) return asks('disk-full', notEnoughSpace(row.target, needed, Math.max(0, free)));
  return {
    refusal: null,
    disk: room.disk,
    serverId: deps.server?.id ?? row.server_id,
    plan: {
      id: row.id,
      source: source ?? { baseUrl: row.base_url, token: null, certificate: null },
      measurementId: row.measurement_id,
      what: row.what,
      ...(await deps.fetches.order(row.id)),
      target: row.target,
      unpack: row.unpack === 1,
      connections: deps.server?.connections ?? deps.settings.connections,
    },
  };
}

function asks(reason: FetchReason, message: string): Prepared {
  return { plan: null, refusal: { reason, message } };
}
