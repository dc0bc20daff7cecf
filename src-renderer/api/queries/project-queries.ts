import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../requests/problem.ts';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type { ClientKey, ErrorTrackingSettings, Project, ProjectMember } from '../requests/types.ts';

/** Path of a project in the API: the project's own path is one encoded segment. */
export const projectPath = (path: string): string => `/api/v4/projects/${encodeURIComponent(path)}`;

/** Queries about projects and how they receive errors. */
export function createProjectQueries(api: Api) {
  const { readJson, readAll } = createReaders(api);
  return {
    project: (path: string) => readJson<Project>(['projects', 'one', path], projectPath(path)),
    projectMembers: (path: string) =>
      readJson<ProjectMember[]>(['projects', 'members', path], `${projectPath(path)}/members`),
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
      readAll<ClientKey>(['errors', String(id), 'client-keys'], `${projectPath(path)}/error_tracking/client_keys`),
  };
}
