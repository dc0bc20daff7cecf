/** A request that a token with these scopes can make, and what it does. */
export function tryWith(scopes: readonly string[]): { readonly path: string; readonly what: string } {
  const may = (...names: readonly string[]): boolean => names.some((name) => scopes.includes(name));
  if (may('api', 'read_api', 'read_measurement'))
    return { path: '/api/v4/measurements', what: 'lists the measurements that it can read' };
  if (may('read_user')) return { path: '/api/v4/user', what: 'reads your profile' };
  return { path: '/api/v4/personal_access_tokens/self', what: 'shows the token itself' };
}
