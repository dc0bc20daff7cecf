import { createAccountActions } from './account-actions.ts';
import { createBackupActions } from './backup-actions.ts';
import { createCaptureActions } from './capture-actions.ts';
import { createCopyActions } from './copy-actions.ts';
import { createErrorActions } from './error-actions.ts';
import { createFetchActions } from './fetch-actions.ts';
import { createNotificationActions } from './notification-actions.ts';
import { createHappeningActions } from '../queries/happening-queries.ts';
import { createFleetActions } from './fleet-actions.ts';
import { createOwnActions } from '../queries/own-requests.ts';
import { createQuotaActions } from '../queries/quota-requests.ts';
import { createRemovedActions } from '../queries/removed-requests.ts';
import { createRetentionActions } from '../queries/retention-requests.ts';
import { createProjectActions } from './project-actions.ts';
import { createSharingActions } from './sharing-actions.ts';
import type { Api } from '../requests/request.ts';
import type {
  ApplicationChange,
  CreatedApplication,
  CreatedToken,
  ExportFormat,
  Grant,
  IgnoreListState,
  Inspection,
  Job,
  JobAction,
  MeasurementDetail,
  NewApplication,
  NewGrant,
  NewToken,
  OAuthApplication,
  RegisterRequest,
  RenewedSecret,
  Session,
  SetupRequest,
  Staged,
} from '../requests/types.ts';

const measurementPath = (id: string): string => `/api/v4/measurements/${encodeURIComponent(id)}`;
const applicationPath = (id: number): string => `/api/v4/user/applications/${id}`;
const localPath = (id: string): string => `/api/v4/local/measurements/${encodeURIComponent(id)}`;

/** All changes that the screens make. Those under `local` exist only in the window. */
export function createActions(api: Api) {
  return {
    ...createAccountActions(api),
    ...createBackupActions(api),
    ...createCaptureActions(api),
    ...createCopyActions(api),
    ...createErrorActions(api),
    ...createFetchActions(api),
    ...createHappeningActions(api),
    ...createFleetActions(api),
    ...createProjectActions(api),
    ...createNotificationActions(api),
    ...createOwnActions(api),
    ...createQuotaActions(api),
    ...createRemovedActions(api),
    ...createRetentionActions(api),
    ...createSharingActions(api),
    setUp: (request: SetupRequest, code: string | null) =>
      api.json<Session>('/api/v4/setup', { method: 'POST', body: request, query: { code } }),
    confirmIdentity: (proof: { readonly password: string } | { readonly code: string }) =>
      api.nothing('/api/v4/session/confirm', { method: 'POST', body: proof }),
    confirmClock: () => api.nothing('/api/v4/service/clock', { method: 'POST', body: {} }),
    signOut: () => api.nothing('/users/sign_out', { method: 'POST', body: {} }),
    rename: (id: string, title: string) =>
      api.json<MeasurementDetail>(measurementPath(id), { method: 'PATCH', body: { title } }),
    remove: (id: string) => api.nothing(measurementPath(id), { method: 'DELETE' }),
    verify: (id: string) => api.json<Job>(`${measurementPath(id)}/verify`, { method: 'POST', body: {} }),
    verifyMany: (ids: readonly string[]) =>
      api.json<Job>('/api/v4/measurements/verify', { method: 'POST', body: { ids } }),
    checksums: (id: string) => api.text(`${measurementPath(id)}/checksums`),
    grant: (id: string, grant: NewGrant) =>
      api.json<Grant>(`${measurementPath(id)}/grants`, { method: 'POST', body: grant }),
    revokeGrant: (id: string, grant: number) =>
      api.nothing(`${measurementPath(id)}/grants/${grant}`, { method: 'DELETE' }),
    controlJob: (id: number, action: JobAction) =>
      api.json<Job>(`/api/v4/jobs/${id}`, { method: 'POST', body: { action } }),
    createToken: (token: NewToken) =>
      api.json<CreatedToken>('/api/v4/user/personal_access_tokens', { method: 'POST', body: token }),
    rotateToken: (id: number, expiresAt: string) =>
      api.json<CreatedToken>(`/api/v4/personal_access_tokens/${id}/rotate`, {
        method: 'POST',
        body: { expires_at: expiresAt },
      }),
    revokeToken: (id: number) => api.nothing(`/api/v4/personal_access_tokens/${id}`, { method: 'DELETE' }),
    createApplication: (application: NewApplication) =>
      api.json<CreatedApplication>('/api/v4/user/applications', { method: 'POST', body: application }),
    changeApplication: (id: number, change: ApplicationChange) =>
      api.json<OAuthApplication>(applicationPath(id), { method: 'PATCH', body: change }),
    removeApplication: (id: number) => api.nothing(applicationPath(id), { method: 'DELETE' }),
    renewSecret: (id: number) =>
      api.json<RenewedSecret>(`${applicationPath(id)}/renew_secret`, { method: 'POST', body: {} }),
    /**
     * Revokes all access of an application; `null` is the access obtained with the password grant,
     * without an application.
     */
    revokeAuthorization: (id: number | null) =>
      api.nothing(`/api/v4/user/authorized_applications/${id ?? 'none'}`, { method: 'DELETE' }),
    inspect: (path: string, signal?: AbortSignal) =>
      api.json<Inspection>('/api/v4/local/inspect', {
        method: 'POST',
        body: { path },
        ...(signal === undefined ? {} : { signal }),
      }),
    register: (request: RegisterRequest) =>
      api.json<Job>('/api/v4/local/registrations', { method: 'POST', body: request }),
    registerSample: () => api.json<Job>('/api/v4/local/sample', { method: 'POST', body: {} }),
    setIgnoreList: (patterns: readonly string[]) =>
      api.json<IgnoreListState>('/api/v4/local/ignore-list', { method: 'PUT', body: { patterns } }),
    exportTo: (id: string, directory: string, format: ExportFormat) =>
      api.json<Job>(`${localPath(id)}/exports`, { method: 'POST', body: { directory, format } }),
    stage: (id: string, index: number | null) =>
      api.json<Staged>(`${localPath(id)}/stage`, { method: 'POST', body: index === null ? {} : { index } }),
  };
}

export type Actions = ReturnType<typeof createActions>;
