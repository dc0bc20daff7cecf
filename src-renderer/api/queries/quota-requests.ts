import type { Api } from '../requests/request.ts';
import type { Quota } from '../requests/types.ts';
import { projectPath } from './project-queries.ts';
import { createReaders } from './read-queries.ts';

const userPath = (id: number): string => `/api/v4/users/${id}/quota`;

/** How much of the storage is used and may be; read again when measurements change. */
export function createQuotaQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    ownQuota: () => readJson<Quota>(['measurements', 'quota', 'own'], '/api/v4/user/quota'),
    /** For administrators. */
    userQuota: (id: number) => readJson<Quota>(['measurements', 'quota', 'user', id], userPath(id)),
    /** For members. */
    projectQuota: (path: string) =>
      readJson<Quota>(['measurements', 'quota', 'project', path], `${projectPath(path)}/quota`),
  };
}

/** Limits for administrators to set: bytes, or null for none. */
export function createQuotaActions(api: Api) {
  const put = (path: string, bytes: number | null) =>
    api.json<Quota>(path, { method: 'PUT', body: { quota_bytes: bytes } });
  return {
    setUserQuota: (id: number, bytes: number | null) => put(userPath(id), bytes),
    setProjectQuota: (path: string, bytes: number | null) => put(`${projectPath(path)}/quota`, bytes),
  };
}
