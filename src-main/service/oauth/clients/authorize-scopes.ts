import type { Application } from '../shared/types.ts';

/**
 * What a request gets that names no scope (RFC 6749 section 3.3): `api`, when the application may have it, as at GitLab. Nothing otherwise:
 * the request is then refused, rather than answered with something that nobody asked for.
 */
function defaultScopes(application: Application): readonly string[] {
  return application.scopes.filter((scope) => scope === 'api');
}

/** The scopes that a request names, without doubles, or the default; null when one is unknown or not the application's, or none is left. */
export function grantableScopes(text: string, application: Application): readonly string[] | null {
  const named = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  const scopes = named.length === 0 ? defaultScopes(application) : named;
  return scopes.length > 0 && scopes.every((scope) => application.scopes.includes(scope)) ? scopes : null;
}
