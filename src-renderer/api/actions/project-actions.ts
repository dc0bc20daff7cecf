import { projectPath } from '../queries/project-queries.ts';
import type { Api } from '../requests/request.ts';
import type {
  ClientKey,
  ErrorSettingsChange,
  ErrorTrackingSettings,
  ExternalProject,
  NewProject,
  Project,
  ProjectChange,
  ProjectMember,
} from '../requests/types.ts';

/** Changes to projects, their members, and how they receive errors. */
export function createProjectActions(api: Api) {
  return {
    createProject: (project: NewProject) => api.json<Project>('/api/v4/projects', { method: 'POST', body: project }),
    changeProject: (path: string, change: ProjectChange) =>
      api.json<Project>(projectPath(path), { method: 'PATCH', body: change }),
    removeProject: (path: string) => api.nothing(projectPath(path), { method: 'DELETE' }),
    setMember: (path: string, userId: number, role: ProjectMember['role']) =>
      api.json<ProjectMember>(`${projectPath(path)}/members/${userId}`, { method: 'PUT', body: { role } }),
    removeMember: (path: string, userId: number) =>
      api.nothing(`${projectPath(path)}/members/${userId}`, { method: 'DELETE' }),
    putErrorSettings: (path: string, settings: ErrorSettingsChange) =>
      api.json<ErrorTrackingSettings>(`${projectPath(path)}/error_tracking/settings`, {
        method: 'PUT',
        body: settings,
      }),
    createClientKey: (path: string) =>
      api.json<ClientKey>(`${projectPath(path)}/error_tracking/client_keys`, { method: 'POST', body: {} }),
    removeClientKey: (path: string, id: number) =>
      api.nothing(`${projectPath(path)}/error_tracking/client_keys/${id}`, { method: 'DELETE' }),
    sendTestEvent: (path: string) =>
      api.json<{ id: string }>(`${projectPath(path)}/error_tracking/test_event`, { method: 'POST', body: {} }),
    /** Tests the connection to an external backend. An empty token means the stored one. */
    connectExternal: async (path: string, apiHost: string, token: string) =>
      (
        await api.json<{ projects: ExternalProject[] }>(`/${path}/-/error_tracking/projects.json`, {
          query: { api_host: apiHost, token },
        })
      ).projects,
  };
}
