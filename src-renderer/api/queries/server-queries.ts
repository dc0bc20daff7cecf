import { keepPreviousData } from '@tanstack/react-query';
import type { ListQuery } from './list-query.ts';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type { DiscoveredServer, RemoteFilePage, RemoteMeasurementPage, RemoteServer } from '../requests/types.ts';

export const remoteFilePageSize = 200;
/** Milliseconds. No event reports changes of the machines on the network. */
const lookAgain = 10_000;

/** Path of a server in the window's list. */
export const serverPath = (id: number): string => `/api/v4/local/servers/${id}`;

/**
 * Queries about other servers. Their content is requested each time, so its keys belong to topics
 * that no event invalidates.
 */
export function createServerQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    servers: () => readJson<RemoteServer[]>(['servers'], '/api/v4/local/servers'),
    discoveredServers: () => ({
      ...readJson<DiscoveredServer[]>(['discovered-servers'], '/api/v4/local/discovered-servers'),
      refetchInterval: lookAgain,
    }),
    remoteMeasurements: (server: number, { search, sort, order }: ListQuery, page: number) => ({
      ...readJson<RemoteMeasurementPage>(
        ['remote-measurements', server, search, sort, order, page],
        `${serverPath(server)}/measurements`,
        { search, sort, order, page: page + 1 },
      ),
      staleTime: 60_000,
    }),
    remoteFiles: (server: number, measurement: string, search: string, page: number) => ({
      ...readJson<RemoteFilePage>(
        ['remote-files', server, measurement, search, page],
        `${serverPath(server)}/measurements/${encodeURIComponent(measurement)}/files`,
        { search, offset: page * remoteFilePageSize, limit: remoteFilePageSize },
      ),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  };
}
