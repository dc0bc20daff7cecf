import type { App } from '../app.ts';

/** Maximum bytes of a body on a route without a credential. */
export const anonymousBodyBytes = 16 * 1024;
/** Maximum bytes of a body on a route that checks a credential before it reads the body. */
const authenticatedBodyBytes = 1024 * 1024;

const mark = Symbol('needs a credential');

/** Marks an `onRequest` hook that refuses every request without a credential. */
export function needingCredential<Hook extends object>(hook: Hook): Hook {
  return Object.assign(hook, { [mark]: true });
}

/** Whether one of a route's `onRequest` hooks refuses every request without a credential. */
export function needsCredential(onRequest: unknown): boolean {
  return [onRequest].flat().some((hook) => typeof hook === 'function' && mark in hook);
}

/**
 * Gives each route its body limit: small, unless a credential is checked before the body is read.
 * Call before the routes are added.
 *
 * @throws Error at the start of the service for a route that would read larger bodies without a
 * credential.
 */
export function limitBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    const isAuthenticated = needsCredential(route.onRequest);
    if (isAuthenticated) route.bodyLimit ??= authenticatedBodyBytes;
    else if ((route.bodyLimit ?? 0) > anonymousBodyBytes)
      throw new Error(
        `${String(route.method)} ${route.url} reads more than ${anonymousBodyBytes} bytes without a credential`,
      );
  });
}
