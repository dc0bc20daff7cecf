/** Address of a Sentry-compatible server. */
export interface SentryAddress {
  /** The origin that a token belongs to: scheme, host and port. */
  readonly origin: string;
  /** The part of the address before `/api/0/`. */
  readonly base: string;
}

export interface SentryProject extends SentryAddress {
  readonly organization: string;
  readonly project: string;
}

// Slugs of Sentry need no encoding, so they are used in addresses unchanged.
const projectPath = /^(.*)\/api\/0\/projects\/([A-Za-z0-9_.-]+)\/([A-Za-z0-9_.-]+)\/?$/;

/**
 * Reads `https://host/api/0/projects/ORGANISATION/PROJECT`, GitLab's form of the API URL.
 *
 * @returns null for other texts.
 */
export function readApiUrl(text: string): SentryProject | null {
  const url = readUrl(text);
  const [, prefix = '', organization = '', project = ''] = projectPath.exec(url?.pathname ?? '') ?? [];
  return url === null || project === ''
    ? null
    : { origin: url.origin, base: url.origin + prefix, organization, project };
}

/**
 * Reads a server's address as users enter it: a host name, an address with or without a path, or a
 * whole API URL.
 */
export function readApiHost(text: string): SentryAddress | null {
  const trimmed = text.trim();
  const url = readUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null) return null;
  return { origin: url.origin, base: url.origin + url.pathname.replace(/\/api\/0(\/.*)?$/, '').replace(/\/+$/, '') };
}

/** Returns the address of the project's page, derived from the API URL as GitLab does. */
export function externalUrlOf({ base, organization, project }: SentryProject): string {
  return `${base}/${organization}/${project}`;
}

function readUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    !url ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username ||
    url.password ||
    url.search ||
    url.hash
  )
    return null;
  return url;
}
