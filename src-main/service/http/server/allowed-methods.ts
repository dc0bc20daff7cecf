import type { App } from '../app.ts';
import { HttpProblem } from '../../common/problem.ts';

/** The methods of an address; none at all when no route matches it. */
export interface Allowed {
  readonly methods: readonly string[];
  /** The shape of its error bodies; see the config of routes. */
  readonly errors: 'gitlab' | undefined;
}

interface RoutePath {
  readonly segments: readonly string[];
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly errors: Allowed['errors'];
  /** Schema of its parameters. */
  readonly params: unknown;
  /**
   * Fixed paths that match this pattern too but are none of its parameters, for example
   * `/users/managed` beside `/users/:id`.
   */
  readonly reserved: RoutePath[];
}

const parameter = /:[A-Za-z_]+/g;
const isWildcard = (url: string): boolean => url.endsWith('/*');

/**
 * Records the methods of every route, so that a path that exists only under another method gets 405
 * with Allow (RFC 9110 section 15.5.6) instead of 404, and OPTIONS is answered. Call before the
 * routes are added. The router looks for a fixed path among the routes of one method only, so
 * `PATCH /projects/mine` would reach `/projects/:id` with the id "mine". Such a request is answered
 * with 405, before the credential is checked, where the name belongs to the fixed path alone.
 */
export function rememberMethods(app: App): (url: string) => Allowed {
  const routes = new Map<string, RoutePath>();
  const allowedAt = (url: string): Allowed => {
    const path = pathOf(url);
    const found = [...routes.values()].filter((route) => route.pattern.test(path) && !isReserved(route, path));
    const methods = new Set(found.flatMap((route) => [...route.methods]));
    if (methods.size > 0) methods.add('OPTIONS');
    return { methods: [...methods].toSorted(), errors: found.find(({ errors }) => errors !== undefined)?.errors };
  };
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    // A pattern for all addresses that only answers OPTIONS says nothing of what is there.
    if (route.url.includes('*') && methods.every((method) => method === 'OPTIONS')) return;
    const known = routes.get(route.url) ?? pathOfRoute(route.url, route.schema?.params, route.config?.errors);
    routes.set(route.url, known);
    for (const method of methods) known.methods.add(method);
    if (!route.url.includes(':')) return;
    const own = route.onRequest === undefined ? [] : [route.onRequest].flat();
    route.onRequest = [
      (request, _reply, done) => {
        if (known.reserved.length === 0 || !isReserved(known, pathOf(request.url))) done();
        else done(methodNotAllowed(request.url, allowedAt(request.url).methods.join(', ')));
      },
      ...own,
    ];
  });
  app.addHook('onReady', (done) => {
    const all = [...routes.entries()].flatMap(([url, route]) => (isWildcard(url) ? [] : [route]));
    for (const route of all) route.reserved.push(...all.filter((fixed) => reserves(fixed, route)));
    done();
  });
  return allowedAt;
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

function pathOfRoute(url: string, params: unknown, errors: Allowed['errors']): RoutePath {
  const pattern = new RegExp(
    `^${url
      .replaceAll('.', String.raw`\.`)
      .replace(parameter, '[^/]+')
      .replace(/\*$/, '.*')}/?$`,
  );
  return { segments: url.split('/'), pattern, methods: new Set(), errors, params, reserved: [] };
}

function isReserved({ reserved }: RoutePath, path: string): boolean {
  return reserved.some(({ pattern }) => pattern.test(path));
}

/**
 * Whether a fixed path reserves its name against a pattern that matches it too: where the parameter
 * cannot have that value, or where both routes share a method, so that the value already means the
 * fixed path. `POST /measurements/verify` reserves nothing: a measurement may be called "verify".
 */
function reserves(fixed: RoutePath, pattern: RoutePath): boolean {
  const pairs = fixed.segments.map((text, index) => ({ text, beside: pattern.segments[index] ?? '' }));
  const names = pairs.filter(({ text, beside }) => isParameter(beside) && !isParameter(text));
  const fits =
    fixed.segments.length === pattern.segments.length &&
    pairs.every(({ text, beside }) => isParameter(beside) || text === beside);
  if (!fits || names.length === 0) return false;
  if (names.some(({ text, beside }) => !accepts(pattern.params, beside.slice(1), text))) return true;
  return [...fixed.methods].some((method) => pattern.methods.has(method));
}

function isParameter(segment: string): boolean {
  return /^:[A-Za-z_]+$/.test(segment);
}

/** Whether the schema of a route's parameter accepts a text. */
function accepts(params: unknown, name: string, text: string): boolean {
  const properties = (
    params as
      | { readonly properties?: Readonly<Record<string, { readonly type?: string; readonly pattern?: string }>> }
      | undefined
  )?.properties;
  const schema = properties?.[name];
  if (schema?.type === 'integer') return /^-?\d+$/.test(text);
  return schema?.pattern === undefined || new RegExp(schema.pattern).test(text);
}

/** 405 with words for every shape: a problem's, GitLab's, and that of OAuth for its endpoints. */
export function methodNotAllowed(url: string, allow: string): HttpProblem {
  const shaped = url.startsWith('/oauth/') ? { error: 'invalid_request' } : { gitlab: '405 Method Not Allowed' };
  return new HttpProblem(405, `This address answers to ${allow}.`, { headers: { allow }, ...shaped });
}
