import type { RemoteServer } from '../../contract/servers.ts';
import type { ServerAccess } from '../../http-client/http-client.ts';

/** The part of a server the queue needs. */
export type KnownServer = Pick<RemoteServer, 'id' | 'name' | 'base_url' | 'speed_limit' | 'connections'>;

/** The servers of fetches, as the queue sees them. */
export interface FetchServers {
  all(): Promise<readonly KnownServer[]>;
  /** Includes the decrypted token; null if there is no such server. */
  source(id: number): Promise<ServerAccess | null>;
}

/** The server of a fetch, by id; if it was removed and added again, by address. */
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
