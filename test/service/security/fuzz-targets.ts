/** A route with the names of its parameters. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const authorize =
  `response_type client_id redirect_uri scope state code_challenge code_challenge_method nonce prompt max_age response_mode login_hint
  request_uri resource`.split(/\s+/);

/** Pages, which the OpenAPI document omits. */
const pages: readonly Target[] = [
  { method: 'GET', path: '/oauth/authorize', query: authorize, body: [] },
  { method: 'POST', path: '/oauth/authorize', query: [], body: authorize },
  { method: 'POST', path: '/oauth/authorize', query: [], body: ['request', 'csrf_token', 'decision'] },
  { method: 'GET', path: '/oauth/device', query: ['user_code'], body: [] },
  { method: 'POST', path: '/oauth/device', query: [], body: ['user_code', 'csrf_token'] },
  { method: 'POST', path: '/oauth/device', query: [], body: ['request', 'csrf_token', 'decision'] },
  { method: 'GET', path: '/oauth/authorized_applications', query: [], body: [] },
  { method: 'GET', path: '/users/sign_in', query: ['return_to', 'again'], body: [] },
  { method: 'POST', path: '/users/sign_in', query: [], body: ['form_token', 'username', 'password', 'return_to'] },
  { method: 'GET', path: '/users/sign_in/second_factor', query: [], body: [] },
  { method: 'POST', path: '/users/sign_in/second_factor', query: [], body: ['form_token', 'code', 'response'] },
  { method: 'POST', path: '/users/sign_out', query: [], body: ['csrf_token'] },
  ...[
    '/profile',
    '/profile/account',
    '/profile/applications',
    '/-/profile/personal_access_tokens',
    '/user_settings/applications',
    '/oauth/applications',
  ].map((path) => ({ method: 'GET', path, query: ['name', 'scopes'], body: [] })),
];

const wanted =
  /^\/(oauth|\.well-known)\/|^\/api\/v4\/(user|users|session|setup|applications?|personal_access_tokens|audit_events)(\b|\.)/;

/** Every route of OAuth and of accounts: those of the OpenAPI document, and the pages. */
export async function fuzzTargets(url: string): Promise<readonly Target[]> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as Json;
  const components = ((document['components'] as Json)['schemas'] ?? {}) as Json;
  const described = Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      query: ((operation['parameters'] ?? []) as readonly Json[])
        .filter((one) => one['in'] === 'query')
        .map((one) => String(one['name'])),
      body: [...memberNames(operation['requestBody'], components)],
    })),
  );
  return [...described.filter(({ path }) => wanted.test(path)), ...pages];
}

function memberNames(schema: unknown, components: Json): Set<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { properties, $ref: reference } = value as Json;
    for (const name of Object.keys(properties ?? {})) names.add(name);
    if (typeof reference === 'string') walk(components[reference.replace('#/components/schemas/', '')]);
    for (const member of Object.values(value)) walk(member);
  };
  walk(schema);
  return names;
}
