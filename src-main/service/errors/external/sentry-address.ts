/** A Sentry-compatible server, and possibly a project on it. */
export interface SentryAddress {
  /** What a token belongs to: scheme, host and port. */
  readonly origin: string;
  /** What comes before `/api/0/`. */
  readonly base: string;
}

export interface SentryProject extends SentryAddress {
  readonly organization: string;
  readonly project: string;
}

// Slugs of Sentry need no encoding, so they can stand in an address as they are.
const projectPath = /^(.*)\/api\/0\/projects\/([A-Za-z0-9_.-]+)\/([A-Za-z0-9_.-]+)\/?$/;

/** Reads `https://host/api/0/projects/ORGANISATION/PROJECT`, GitLab's form of the API URL. @returns null for anything else. */
export function readApiUrl(text: string): SentryProject | null {
  const url = readUrl(text);
  const [, prefix = '', organization = '', project = ''] = projectPath.exec(url?.pathname ?? '') ?? [];
  return url === null || project === ''
    ? null
    : { origin: url.origin, base: url.origin + prefix, organization, project };
}

/** Reads what people enter as the address of a server: a host name, an address with or without a path, or a whole API URL. */
export function readApiHost(text: string): SentryAddress | null {
  const trimmed = text.trim();
  const url = readUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null) return null;
  return { origin: url.origin, base: url.origin + url.pathname.replace(/\/api\/0(\/.*)?$/, '').replace(/\/+$/, '') };
}

/** Where a browser finds the project, as GitLab makes it of the API URL. */
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
