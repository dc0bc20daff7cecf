import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { csrfHolds, csrfToken, sameText } from '../http/csrf.ts';
import { localPath } from '../http/local-path.ts';
import { sendPage } from '../http/page-layout.ts';
import { HttpProblem } from '../http/problem.ts';
import { secondsToWait } from '../http/require-limit.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../http/session-cookie.ts';
import type { Services } from '../services.ts';
import { formTokens } from './form-token.ts';
import { signIn } from './sign-in.ts';
import { notSetUpPage, signInPage } from './sign-in-page.ts';
import { sessionLifetime } from './sessions.ts';

type Deps = Services & { readonly baseUrl: () => string; readonly csrfKey: Buffer };

const title = 'Sign in';
const home = '/ui/';
const wrong = 'This user name and password do not fit an active account. Check both, or ask the owner of the server.';
const stale = 'This form was open too long, or came from elsewhere. Please sign in again.';
const window = 5 * 60_000;
// For one address, for one name from one address, and for one name from everywhere: guessing is slow, and a colleague cannot lock you out with a few tries.
const perAddress = 100;
const perAddressAndName = 10;
const perName = 100;

/** Sign-in and sign-out for browsers. */
export function registerSignInRoutes(app: App, deps: Deps): void {
  const forms = formTokens(deps.csrfKey, deps.baseUrl);
  const nameOf = (request: FastifyRequest) => textOf(request, 'username').toLowerCase().slice(0, 255);
  const limits = [
    app.createRateLimit({ max: perAddress, timeWindow: window, keyGenerator: (request) => `sign-in ${request.ip}` }),
    app.createRateLimit({ max: perAddressAndName, timeWindow: window, keyGenerator: (request) => `sign-in ${request.ip} ${nameOf(request)}` }),
    app.createRateLimit({ max: perName, timeWindow: window, keyGenerator: (request) => `sign-in name ${nameOf(request)}` }),
  ];

  app.get('/users/sign_in', { schema: { hide: true } }, async (request, reply) => {
    if ((await deps.users.count()) === 0) return sendPage(reply, 200, title, notSetUpPage());
    const returnTo = localPath((request.query as Record<string, unknown>)['return_to']) ?? home;
    const cookie = readSessionCookie(request, deps.baseUrl());
    if (cookie !== undefined && (await deps.sessions.resolve(cookie))) return reply.header('cache-control', 'no-store').redirect(returnTo, 303);
    return form(request, reply, 200, returnTo, '', null);
  });

  app.post('/users/sign_in', { schema: { hide: true }, bodyLimit: 16 * 1024 }, async (request, reply) => {
    const returnTo = localPath(textOf(request, 'return_to')) ?? home;
    const username = textOf(request, 'username');
    if (!forms.holds(request, textOf(request, 'form_token'))) return form(request, reply, 403, returnTo, username, stale);
    const wait = await secondsToWait(request, limits);
    if (wait > 0) {
      reply.header('retry-after', String(wait));
      return form(request, reply, 429, returnTo, username, `Too many attempts. Try again in ${wait} seconds.`);
    }
    const password = textOf(request, 'password');
    const possible = username.length <= 255 && password.length > 0 && password.length <= 128;
    const user = possible ? await signIn(deps, username.trim(), password, request.ip) : null;
    if (!user) return form(request, reply, 422, returnTo, username, wrong);

    // A session that stood before the sign-in is never carried on: whoever planted it would be signed in too.
    const before = readSessionCookie(request, deps.baseUrl());
    if (before !== undefined) await deps.sessions.end(before);
    const cookie = await deps.sessions.begin(user.id, request.ip, request.headers['user-agent'] ?? null);
    setSessionCookie(reply, cookie, deps.baseUrl(), sessionLifetime);
    return reply.header('cache-control', 'no-store').redirect(returnTo, 303);
  });

  app.post('/users/sign_out', { schema: { hide: true }, bodyLimit: 16 * 1024 }, async (request, reply) => {
    const cookie = readSessionCookie(request, deps.baseUrl());
    if (cookie !== undefined) {
      const field = textOf(request, 'csrf_token');
      if (!csrfHolds(request, cookie, deps.csrfKey) && !sameText(field, csrfToken(cookie, deps.csrfKey))) {
        throw new HttpProblem(403, 'The X-CSRF-Token header is missing or old. Load the page again.', { type: 'csrf' });
      }
      await deps.sessions.end(cookie);
      clearSessionCookie(reply, deps.baseUrl());
    }
    reply.header('cache-control', 'no-store');
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    return isForm ? reply.redirect('/users/sign_in', 303) : reply.code(204).send();
  });

  function form(request: FastifyRequest, reply: FastifyReply, status: number, returnTo: string, username: string, failure: string | null): FastifyReply {
    return sendPage(reply, status, title, signInPage({ formToken: forms.issue(request, reply), returnTo, username: username.slice(0, 255), failure }));
  }
}

// A form field may be doubled, missing, or not a form at all: all of these are no text.
function textOf(request: FastifyRequest, name: string): string {
  const { body } = request;
  if (typeof body !== 'object' || body === null) return '';
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}
