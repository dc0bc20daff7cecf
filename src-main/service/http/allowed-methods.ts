import type { App } from './app.ts';

const parameter = /:[A-Za-z_]+/g;

/**
 * Remembers the methods of every route, so that a path that exists under another method is told from one that does not exist:
 * 405 with Allow (RFC 9110 section 15.5.6), and an answer to OPTIONS. Call before the routes are added.
 */
export function rememberMethods(app: App): (url: string) => readonly string[] {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', (route) => {
    if (route.url.includes('*')) return;
    const known = routes.get(route.url) ?? {
      pattern: new RegExp(`^${route.url.replaceAll('.', String.raw`\.`).replace(parameter, '[^/]+')}/?$`),
      methods: new Set<string>(),
    };
    routes.set(route.url, known);
    for (const method of [route.method].flat()) known.methods.add(method);
  });
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const methods = new Set<string>();
    for (const route of routes.values()) if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].toSorted();
  };
}
