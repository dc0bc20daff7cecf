import type { Application } from '../shared/types.ts';

/**
 * Default for a request without a scope (RFC 6749 section 3.3): `api` when the application may have
 * it, as in GitLab. Without a default the request is refused.
 */
function defaultScopes(application: Application): readonly string[] {
  return application.scopes.filter((scope) => scope === 'api');
}

/**
 * The requested scopes without duplicates, or the default; null when a scope is unknown or not
 * allowed for the application, or when none is left.
 */
export function grantableScopes(text: string, application: Application): readonly string[] | null {
  const named = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  const scopes = named.length === 0 ? defaultScopes(application) : named;
  return scopes.length > 0 && scopes.every((scope) => application.scopes.includes(scope)) ? scopes : null;
}
