import type { App } from './app.ts';
import { HttpProblem } from './problem.ts';

/** What an address answers to; no methods at all when there is nothing at it. */
export interface Allowed {
  readonly methods: readonly string[];
  /** The shape of its error bodies; see the config of routes. */
  readonly errors: 'gitlab' | undefined;
}

const parameter = /:[A-Za-z_]+/g;

/**
 * Remembers the methods of every route, so that a path that exists under another method is told from one that does not exist:
 * 405 with Allow (RFC 9110 section 15.5.6), and an answer to OPTIONS. Call before the routes are added.
 */
export function rememberMethods(app: App): (url: string) => Allowed {
  const routes = new Map<string, { readonly pattern: RegExp; readonly exact: RegExp; readonly methods: Set<string>; readonly errors: Allowed['errors'] }>();
  app.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    const known = routes.get(route.url) ?? {
      pattern: patternOf(route.url, () => '[^/]+'),
      exact: patternOf(route.url, (name) => textOf(route.schema?.params, name)),
      methods: new Set<string>(),
      errors: route.config?.errors,
    };
    routes.set(route.url, known);
    for (const method of [route.method].flat()) known.methods.add(method);
  });
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const loose = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    // "managed" is no number of a user: methods of that pattern are none of this path.
    const precise = loose.filter(({ exact }) => exact.test(path));
    const found = precise.length > 0 ? precise : loose;
    const methods = new Set(found.flatMap((route) => [...route.methods]));
    if (methods.size > 0) methods.add('OPTIONS');
    return { methods: [...methods].toSorted(), errors: found.find(({ errors }) => errors !== undefined)?.errors };
  };
}

function patternOf(url: string, textFor: (name: string) => string): RegExp {
  return new RegExp(`^${url.replaceAll('.', String.raw`\.`).replace(parameter, (name) => textFor(name.slice(1)))}/?$`);
}

/** What the parameter of a route may be, as a regular expression; a number where its schema says so. */
function textOf(params: unknown, name: string): string {
  const properties = (params as { readonly properties?: Readonly<Record<string, { readonly type?: string }>> } | undefined)?.properties;
  return properties?.[name]?.type === 'integer' ? String.raw`-?\d+` : '[^/]+';
}

/** 405 in words for every shape: a problem's, GitLab's, and that of OAuth for its endpoints. */
export function methodNotAllowed(url: string, allow: string): HttpProblem {
  const shaped = url.startsWith('/oauth/') ? { error: 'invalid_request' } : { gitlab: '405 Method Not Allowed' };
  return new HttpProblem(405, `This address answers to ${allow}.`, { headers: { allow }, ...shaped });
}
