import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListQuery } from './list-query.ts';
import type { Api } from '../requests/request.ts';
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
  return {
    servers: () =>
      queryOptions({
        queryKey: ['servers'],
        queryFn: ({ signal }) => api.json<RemoteServer[]>('/api/v4/local/servers', { signal }),
      }),
    discoveredServers: () =>
      queryOptions({
        queryKey: ['discovered-servers'],
        queryFn: ({ signal }) => api.json<DiscoveredServer[]>('/api/v4/local/discovered-servers', { signal }),
        refetchInterval: lookAgain,
      }),
    remoteMeasurements: (server: number, { search, sort, order }: ListQuery, page: number) =>
      queryOptions({
        queryKey: ['remote-measurements', server, search, sort, order, page],
        queryFn: ({ signal }) =>
          api.json<RemoteMeasurementPage>(`${serverPath(server)}/measurements`, {
            signal,
            query: { search, sort, order, page: page + 1 },
          }),
        staleTime: 60_000,
      }),
    remoteFiles: (server: number, measurement: string, search: string, page: number) =>
      queryOptions({
        queryKey: ['remote-files', server, measurement, search, page],
        queryFn: ({ signal }) =>
          api.json<RemoteFilePage>(`${serverPath(server)}/measurements/${encodeURIComponent(measurement)}/files`, {
            signal,
            query: { search, offset: page * remoteFilePageSize, limit: remoteFilePageSize },
          }),
        placeholderData: keepPreviousData,
        staleTime: 60_000,
      }),
  };
}
