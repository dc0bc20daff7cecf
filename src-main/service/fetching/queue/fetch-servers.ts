import type { RemoteServer } from '../../contract/servers.ts';
import type { FetchSource } from '../engine/types.ts';

/** What the queue has to know of a server. */
export type KnownServer = Pick<RemoteServer, 'id' | 'name' | 'base_url' | 'speed_limit' | 'connections'>;

/** The servers that fetches come from, as far as the queue needs them. */
export interface FetchServers {
  all(): Promise<readonly KnownServer[]>;
  /** With the token opened; null when there is no such server. */
  source(id: number): Promise<FetchSource | null>;
}

/** The server of a fetch: the one that it was made for, or, when that was removed and added again, the one at its address. */
export function serverOf(
  servers: readonly KnownServer[],
  fetch: { readonly server_id: number | null; readonly base_url: string },
): KnownServer | null {
  return (
    servers.find(({ id }) => id === fetch.server_id) ??
    servers.find(({ base_url: baseUrl }) => baseUrl === fetch.base_url) ??
    null
  );
}
