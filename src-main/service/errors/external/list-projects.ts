import type { ExternalProject } from '../../contract/errors.ts';
import { requestSentry, type SentryServer } from './request-sentry.ts';
import { ExternalFailure, notSentry } from './external-failure.ts';
import { listOf, memberOf, textMember } from './read-json.ts';

const maxPages = 10;
const maxOrganizations = 20;

interface Organization {
  readonly id: string | null;
  readonly slug: string;
  readonly name: string;
}

/**
 * Lists the projects that a token can access: by organisation, as current versions of Sentry do,
 * else from the list of all projects. That list is no longer documented, but GitLab, older and
 * other servers support it, and the scope project:read is sufficient for it.
 *
 * @throws ExternalFailure with the reason why the server cannot be used.
 */
export async function listExternalProjects(server: SentryServer): Promise<ExternalProject[]> {
  return (
    (await byOrganization(server)) ??
    (await pagesOf(server, 'projects/')).map((entry) => projectOf(entry, null, server))
  );
}

async function byOrganization(server: SentryServer): Promise<ExternalProject[] | null> {
  try {
    const { json } = await requestSentry(server, { path: 'organizations/' });
    const organizations = listOf(json).flatMap((entry) => organizationOf(entry) ?? []);
    if (organizations.length === 0) return null;
    const found: ExternalProject[] = [];
    for (const organization of organizations.slice(0, maxOrganizations)) {
      const entries = await pagesOf(server, `organizations/${encodeURIComponent(organization.slug)}/projects/`);
      found.push(...entries.map((entry) => projectOf(entry, organization, server)));
    }
    return found;
  } catch (error) {
    // Without the scope org:read organisations cannot be listed. If the token is invalid, the list
    // of projects fails as well.
    if (error instanceof ExternalFailure && ['token-refused', 'forbidden', 'status', 'not-sentry'].includes(error.kind))
      return null;
    throw error;
  }
}

async function pagesOf(server: SentryServer, path: string): Promise<unknown[]> {
  const entries: unknown[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const response = await requestSentry(server, { path, query: cursor === null ? {} : { cursor } });
    if (!Array.isArray(response.json)) throw notSentry(new URL(server.origin).host);
    entries.push(...(response.json as unknown[]));
    cursor = response.next;
    if (cursor === null) break;
  }
  return entries;
}

function organizationOf(entry: unknown): Organization | null {
  const slug = textMember(entry, 'slug');
  return slug === null ? null : { slug, id: textMember(entry, 'id'), name: textMember(entry, 'name') ?? slug };
}

function projectOf(entry: unknown, from: Organization | null, server: SentryServer): ExternalProject {
  const slug = textMember(entry, 'slug');
  const organization = organizationOf(memberOf(entry, 'organization')) ?? from;
  if (slug === null || organization === null) throw notSentry(new URL(server.origin).host);
  return {
    id: textMember(entry, 'id') ?? slug,
    name: textMember(entry, 'name') ?? slug,
    slug,
    status: textMember(entry, 'status'),
    organization_id: organization.id,
    organization_name: organization.name,
    organization_slug: organization.slug,
  };
}
