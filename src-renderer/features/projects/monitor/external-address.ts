import type { ExternalProject } from '../../../api/requests/types.ts';

function urlOf(host: string): URL | null {
  const text = host.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(whole) ? new URL(whole) : null;
}

/** Scheme, host and port, to which a token is bound. Null for an invalid address. */
export const originOf = (host: string): string | null => urlOf(host)?.origin ?? null;

/** The address of the server, without the part of the API URL that names the project. */
export function serverOf(apiUrl: string): string {
  const url = urlOf(apiUrl);
  return url === null ? apiUrl : url.origin + url.pathname.replace(/\/api\/0(\/.*)?$/, '').replace(/\/+$/, '');
}

/** The API URL of a project on a server, in the format of the settings. */
export function apiUrlOf(host: string, project: Pick<ExternalProject, 'organization_slug' | 'slug'>): string {
  return `${serverOf(host)}/api/0/projects/${encodeURIComponent(project.organization_slug)}/${encodeURIComponent(project.slug)}`;
}
