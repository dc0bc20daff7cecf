import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../requests/problem.ts';
import type { Api } from '../requests/request.ts';
import type { ClientKey, ErrorTrackingSettings, Project, ProjectMember } from '../requests/types.ts';

/** Path of a project in the API: the project's own path is one encoded segment. */
export const projectPath = (path: string): string => `/api/v4/projects/${encodeURIComponent(path)}`;

/** Queries about projects and how they receive errors. */
export function createProjectQueries(api: Api) {
  return {
    project: (path: string) =>
      queryOptions({
        queryKey: ['projects', 'one', path],
        queryFn: ({ signal }) => api.json<Project>(projectPath(path), { signal }),
      }),
    projectMembers: (path: string) =>
      queryOptions({
        queryKey: ['projects', 'members', path],
        queryFn: ({ signal }) => api.json<ProjectMember[]>(`${projectPath(path)}/members`, { signal }),
      }),
    /** Null until they are saved for the first time; the API then responds 404. */
    errorSettings: (path: string) =>
      queryOptions({
        queryKey: ['projects', 'error-settings', path],
        queryFn: async ({ signal }) => {
          try {
            return await api.json<ErrorTrackingSettings>(`${projectPath(path)}/error_tracking/settings`, { signal });
          } catch (error) {
            if (error instanceof ApiError && error.status === 404) return null;
            throw error;
          }
        },
      }),
    /**
     * All keys, the oldest first. In the topic of new events, because each key counts its events.
     */
    clientKeys: ({ id, path }: Pick<Project, 'id' | 'path'>) =>
      queryOptions({
        queryKey: ['errors', String(id), 'client-keys'],
        queryFn: async ({ signal }) => {
          const keys: ClientKey[] = [];
          for (let page = 1; ; page += 1) {
            const { items, total } = await api.page<ClientKey>(`${projectPath(path)}/error_tracking/client_keys`, {
              signal,
              query: { page, per_page: 100 },
            });
            keys.push(...items);
            if (items.length === 0 || keys.length >= total) return keys;
          }
        },
      }),
  };
}
