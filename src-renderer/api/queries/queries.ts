import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { createAccountQueries } from './account-queries.ts';
import { createBackupQueries } from './backup-queries.ts';
import { createCaptureQueries } from './capture-queries.ts';
import { createCopyQueries } from './copy-queries.ts';
import type { ListQuery } from './list-query.ts';
import { createErrorQueries } from './error-queries.ts';
import { createFetchQueries } from './fetch-queries.ts';
import { createNotificationQueries } from './notification-queries.ts';
import { createHappeningQueries } from './happening-queries.ts';
import { createFleetQueries } from './fleet-queries.ts';
import { createPaletteQueries } from './palette-queries.ts';
import { createProjectQueries } from './project-queries.ts';
import { createOwnQueries } from './own-requests.ts';
import { createQuotaQueries } from './quota-requests.ts';
import { createRemovedQueries } from './removed-requests.ts';
import { createRetentionQueries } from './retention-requests.ts';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import { createServerQueries } from './server-queries.ts';
import { createDownloadQueries } from './download-queries.ts';
import { createSharingQueries } from './sharing-queries.ts';
import { createTimelineQueries } from './timeline-queries.ts';
import type {
  AuthorizedApplication,
  FileStatusPage,
  FolderPage,
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
const filePageSize = 200;
const folderPageSize = 500;
const transferPageSize = 50;

const measurementPath = (id: string): string => `/api/v4/measurements/${encodeURIComponent(id)}`;

/**
 * All queries of the screens, with their keys. The first part of a key is the topic that a
 * `changed` event names.
 */
export function createQueries(api: Api) {
  const { readJson, readPage, readPages, readAll } = createReaders(api);
  return {
    ...createAccountQueries(api),
    ...createBackupQueries(api),
    ...createCaptureQueries(api),
    ...createCopyQueries(api),
    ...createErrorQueries(api),
    ...createFetchQueries(api),
    ...createHappeningQueries(api),
    ...createFleetQueries(api),
    ...createServerQueries(api),
    ...createDownloadQueries(api),
    ...createSharingQueries(api),
    ...createTimelineQueries(api),
    ...createPaletteQueries(api),
    ...createProjectQueries(api),
    ...createNotificationQueries(api),
    ...createOwnQueries(api),
    ...createQuotaQueries(api),
    ...createRemovedQueries(api),
    ...createRetentionQueries(api),
    session: () => ({ ...readJson<Session>(['session'], '/api/v4/session'), staleTime: Infinity }),
    service: () => ({ ...readJson<ServiceStatus>(['service'], '/api/v4/service'), refetchInterval: 60_000 }),
    measurementPage: (list: ListQuery, page: number) => ({
      ...readPage<MeasurementSummary>(['measurements', 'list', list, page], '/api/v4/measurements', {
        page: page + 1,
        per_page: listPageSize,
        search: list.search,
        sort: list.sort,
        order: list.order,
        ...(list.problems === true ? { problems: true } : {}),
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
    measurement: (id: string) => readJson<MeasurementDetail>(['measurements', 'one', id], measurementPath(id)),
    /** The file with an index, as the only one of a list; an empty list where there is none. */
    file: (id: string, index: number) => ({
      ...readJson<FileStatusPage>(['measurements', 'file', id, index], `${measurementPath(id)}/files`, {
        after: index - 1,
        limit: 1,
        sort: 'index',
      }),
      staleTime: 30_000,
    }),
    /** A page of the entries of a folder. @param after cursor of the page before; -1 for the first. */
    folder: (id: string, path: string, after: number) => ({
      ...readJson<FolderPage>(['measurements', 'folder', id, path, after], `${measurementPath(id)}/folders`, {
        path,
        after,
        limit: folderPageSize,
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
    /** A large page of the files that a search finds, in the order of the manifest. */
    foundPage: (id: string, search: string, after: number) =>
      readJson<FileStatusPage>(['measurements', 'found-page', id, search, after], `${measurementPath(id)}/files`, {
        search,
        after,
        limit: 500,
        sort: 'index',
      }),
    grants: (id: string) => readJson<Grant[]>(['measurements', 'grants', id], `${measurementPath(id)}/grants`),
    transfers: (id: string) =>
      readPages<TransferRecord>(['transfers', id], `${measurementPath(id)}/transfers`, transferPageSize),
    users: (search: string) =>
      readJson<{ id: number; username: string; name: string }[]>(['users', search], '/api/v4/users', {
        search,
        active: true,
        per_page: 50,
      }),
    projects: (search: string) =>
      readJson<{ id: number; path: string; name: string }[]>(['projects', search], '/api/v4/projects', { search }),
    /** The tokens of one user: without the filter an administrator would get those of all users. */
    tokens: (userId: number) =>
      readAll<PersonalAccessToken>(['tokens', 'of', userId], '/api/v4/personal_access_tokens', { user_id: userId }),
    /** The caller's own, or those of all users for administrators. */
    applications: (whose: 'own' | 'all') =>
      readJson<OAuthApplication[]>(['applications', whose], '/api/v4/user/applications', {
        all: whose === 'all' ? true : null,
      }),
    authorizedApplications: () =>
      readJson<AuthorizedApplication[]>(['applications', 'authorized'], '/api/v4/user/authorized_applications'),
    activeJobs: () => readJson<Job[]>(['jobs', 'active'], '/api/v4/jobs', { state: 'active' }),
    endedJobs: () => readJson<Job[]>(['jobs', 'ended'], '/api/v4/jobs', { state: 'ended' }),
    /** In the window only. */
    ignoreList: () => readJson<IgnoreListState>(['ignore-list'], '/api/v4/local/ignore-list'),
  };
}

export type Queries = ReturnType<typeof createQueries>;
