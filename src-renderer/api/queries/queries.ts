import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { createAccountQueries } from './account-queries.ts';
import { createBackupQueries } from './backup-queries.ts';
import type { ListQuery } from './list-query.ts';
import { createErrorQueries } from './error-queries.ts';
import { createFetchQueries } from './fetch-queries.ts';
import { createPaletteQueries } from './palette-queries.ts';
import { createProjectQueries } from './project-queries.ts';
import { createOwnQueries } from './own-requests.ts';
import { createRetentionQueries } from './retention-requests.ts';
import type { Api } from '../requests/request.ts';
import { createServerQueries } from './server-queries.ts';
import { createDownloadQueries } from './download-queries.ts';
import { createSharingQueries } from './sharing-queries.ts';
import type {
  AuthorizedApplication,
  FileStatusPage,
  Grant,
  IgnoreListState,
  Job,
  MeasurementDetail,
  MeasurementSummary,
  OAuthApplication,
  PersonalAccessToken,
  ServiceStatus,
  Session,
  TransferRecord,
} from '../requests/types.ts';

export const listPageSize = 100;
export const filePageSize = 200;
const transferPageSize = 50;

const measurementPath = (id: string): string => `/api/v4/measurements/${encodeURIComponent(id)}`;

/**
 * All queries of the screens, with their keys. The first part of a key is the topic that a
 * `changed` event names.
 */
export function createQueries(api: Api) {
  return {
    ...createAccountQueries(api),
    ...createBackupQueries(api),
    ...createErrorQueries(api),
    ...createFetchQueries(api),
    ...createServerQueries(api),
    ...createDownloadQueries(api),
    ...createSharingQueries(api),
    ...createPaletteQueries(api),
    ...createProjectQueries(api),
    ...createOwnQueries(api),
    ...createRetentionQueries(api),
    session: () =>
      queryOptions({
        queryKey: ['session'],
        queryFn: ({ signal }) => api.json<Session>('/api/v4/session', { signal }),
        staleTime: Infinity,
      }),
    service: () =>
      queryOptions({
        queryKey: ['service'],
        queryFn: ({ signal }) => api.json<ServiceStatus>('/api/v4/service', { signal }),
        refetchInterval: 60_000,
      }),
    measurementPage: (list: ListQuery, page: number) =>
      queryOptions({
        queryKey: ['measurements', 'list', list, page],
        queryFn: ({ signal }) =>
          api.page<MeasurementSummary>('/api/v4/measurements', {
            signal,
            query: {
              page: page + 1,
              per_page: listPageSize,
              search: list.search,
              sort: list.sort,
              order: list.order,
              ...(list.problems === true ? { problems: true } : {}),
            },
          }),
        staleTime: 30_000,
      }),
    degradedMeasurements: () =>
      queryOptions({
        queryKey: ['measurements', 'degraded'],
        queryFn: async ({ signal }) =>
          (
            await api.page<MeasurementSummary>('/api/v4/measurements', {
              signal,
              query: { problems: true, per_page: 1 },
            })
          ).total,
      }),
    measurement: (id: string) =>
      queryOptions({
        queryKey: ['measurements', 'one', id],
        queryFn: ({ signal }) => api.json<MeasurementDetail>(measurementPath(id), { signal }),
      }),
    files: (id: string, page: number) =>
      queryOptions({
        queryKey: ['measurements', 'files', id, page],
        // The cursor is a position in the order, so that of any page can be computed.
        queryFn: ({ signal }) =>
          api.json<FileStatusPage>(`${measurementPath(id)}/files`, {
            signal,
            query: { after: page * filePageSize - 1, limit: filePageSize, sort: 'path' },
          }),
        staleTime: 30_000,
      }),
    foundFiles: (id: string, { search, problems }: { readonly search: string; readonly problems: boolean }) =>
      infiniteQueryOptions({
        queryKey: ['measurements', 'found-files', id, search, problems],
        initialPageParam: -1,
        queryFn: ({ signal, pageParam }) =>
          api.json<FileStatusPage>(`${measurementPath(id)}/files`, {
            signal,
            query: {
              after: pageParam,
              limit: filePageSize,
              sort: 'path',
              ...(problems ? { problems } : {}),
              ...(search === '' ? {} : { search }),
            },
          }),
        getNextPageParam: (last) => last.next,
      }),
    grants: (id: string) =>
      queryOptions({
        queryKey: ['measurements', 'grants', id],
        queryFn: ({ signal }) => api.json<Grant[]>(`${measurementPath(id)}/grants`, { signal }),
      }),
    transfers: (id: string) =>
      infiniteQueryOptions({
        queryKey: ['transfers', id],
        initialPageParam: 1,
        queryFn: ({ signal, pageParam }) =>
          api.page<TransferRecord>(`${measurementPath(id)}/transfers`, {
            signal,
            query: { page: pageParam, per_page: transferPageSize },
          }),
        getNextPageParam: (last, _all, page) => (page * transferPageSize < last.total ? page + 1 : null),
      }),
    users: (search: string) =>
      queryOptions({
        queryKey: ['users', search],
        queryFn: ({ signal }) =>
          api.json<{ id: number; username: string; name: string }[]>('/api/v4/users', {
            signal,
            query: { search, active: true, per_page: 50 },
          }),
      }),
    projects: (search: string) =>
      queryOptions({
        queryKey: ['projects', search],
        queryFn: ({ signal }) =>
          api.json<{ id: number; path: string; name: string }[]>('/api/v4/projects', { signal, query: { search } }),
      }),
    /** The tokens of one user: without the filter an administrator would get those of all users. */
    tokens: (userId: number) =>
      queryOptions({
        queryKey: ['tokens', 'of', userId],
        queryFn: async ({ signal }) => {
          const tokens: PersonalAccessToken[] = [];
          for (let page = 1; ; page += 1) {
            const query = { page, per_page: 100, user_id: userId };
            const { items, total } = await api.page<PersonalAccessToken>('/api/v4/personal_access_tokens', {
              signal,
              query,
            });
            tokens.push(...items);
            if (items.length === 0 || tokens.length >= total) return tokens;
          }
        },
      }),
    /** The caller's own, or those of all users for administrators. */
    applications: (whose: 'own' | 'all') =>
      queryOptions({
        queryKey: ['applications', whose],
        queryFn: ({ signal }) =>
          api.json<OAuthApplication[]>('/api/v4/user/applications', {
            signal,
            query: { all: whose === 'all' ? true : null },
          }),
      }),
    authorizedApplications: () =>
      queryOptions({
        queryKey: ['applications', 'authorized'],
        queryFn: ({ signal }) => api.json<AuthorizedApplication[]>('/api/v4/user/authorized_applications', { signal }),
      }),
    activeJobs: () =>
      queryOptions({
        queryKey: ['jobs', 'active'],
        queryFn: ({ signal }) => api.json<Job[]>('/api/v4/jobs', { signal, query: { state: 'active' } }),
      }),
    endedJobs: () =>
      queryOptions({
        queryKey: ['jobs', 'ended'],
        queryFn: ({ signal }) => api.json<Job[]>('/api/v4/jobs', { signal, query: { state: 'ended' } }),
      }),
    /** In the window only. */
    ignoreList: () =>
      queryOptions({
        queryKey: ['ignore-list'],
        queryFn: ({ signal }) => api.json<IgnoreListState>('/api/v4/local/ignore-list', { signal }),
      }),
  };
}

export type Queries = ReturnType<typeof createQueries>;
