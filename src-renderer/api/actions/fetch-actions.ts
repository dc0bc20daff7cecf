import type { Api } from '../requests/request.ts';
import { serverPath } from '../queries/server-queries.ts';
import type {
  Fetch,
  FetchAction,
  FetchChange,
  FetchManyRequest,
  FetchManyResult,
  FetchReceipt,
  FetchRequest,
  FetchSettings,
  NewRemoteServer,
  RemoteServer,
  RemoteServerChange,
  ShownCertificate,
  Staged,
} from '../requests/types.ts';

/** Changes to fetches and to the list of servers. */
export function createFetchActions(api: Api) {
  const one = (id: number): string => `/api/v4/local/fetches/${id}`;
  return {
    addFetch: (request: FetchRequest) => api.json<Fetch>('/api/v4/local/fetches', { method: 'POST', body: request }),
    addFetches: (request: FetchManyRequest) =>
      api.json<FetchManyResult>('/api/v4/local/fetches/many', { method: 'POST', body: request }),
    cancelAddingFetches: (key: string) =>
      api.nothing(`/api/v4/local/fetches/many/${encodeURIComponent(key)}`, { method: 'DELETE' }),
    actOnFetches: (action: FetchAction, ids: readonly number[] | 'all') =>
      api.json<{ changed: number }>('/api/v4/local/fetches/actions', { method: 'POST', body: { action, ids } }),
    changeFetch: (id: number, change: FetchChange) => api.json<Fetch>(one(id), { method: 'PATCH', body: change }),
    stageFetch: (id: number, index: number | null) =>
      api.json<Staged>(`${one(id)}/stage`, { method: 'POST', body: index === null ? {} : { index } }),
    keepFetchReceipt: (id: number) => api.json<FetchReceipt>(`${one(id)}/receipt`, { method: 'POST', body: {} }),
    setFetchSettings: (settings: FetchSettings) =>
      api.json<FetchSettings>('/api/v4/local/fetch-settings', { method: 'PUT', body: settings }),
    addServer: (server: NewRemoteServer) =>
      api.json<RemoteServer>('/api/v4/local/servers', { method: 'POST', body: server }),
    changeServer: (id: number, change: RemoteServerChange) =>
      api.json<RemoteServer>(serverPath(id), { method: 'PATCH', body: change }),
    removeServer: (id: number) => api.nothing(serverPath(id), { method: 'DELETE' }),
    testServer: (id: number) => api.json<RemoteServer>(`${serverPath(id)}/test`, { method: 'POST', body: {} }),
    askCertificate: (baseUrl: string) =>
      api.json<ShownCertificate>('/api/v4/local/servers/certificate', { method: 'POST', body: { base_url: baseUrl } }),
  };
}
