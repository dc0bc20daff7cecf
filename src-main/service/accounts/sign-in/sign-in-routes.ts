import type { FastifyReply, FastifyRequest } from 'fastify';
import { countOf } from '../../common/count-of.ts';
import type { App } from '../../http/app.ts';
import { csrfHolds, csrfToken, sameText } from '../../http/csrf.ts';
import { localPath } from '../../http/semantics/local-path.ts';
import { sendPage } from '../../http/pages/page-layout.ts';
import { HttpProblem } from '../../common/problem.ts';
import { seeOther } from '../../http/pages/see-other.ts';
import { clearSessionCookie, readSessionCookie } from '../../http/session-cookie.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { checkPassword, type PasswordCheck } from '../passwords/check-password.ts';
import { formText } from './form-text.ts';
import { formTokens, type FormTokens } from './form-token.ts';
import { PendingSignIns } from './pending-sign-ins.ts';
import { registerSecondFactorRoutes, secondFactorAddress } from './second-factor-routes.ts';
import { signInLimits, type SignInLimits } from '../attempts/sign-in-limits.ts';
import { originOf, placeOf } from '../store/sign-in-place.ts';
import { notSetUpPage, signInPage } from './sign-in-page.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import type { ShortLivedStores } from '../../short-lived/stores.ts';

type Deps = AccountStores &
  ShortLivedStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'cluster' | 'events' | 'passwords' | 'secrets'> & {
    readonly csrfKey: Buffer;
  };

const title = 'Sign in';
const home = '/ui/';
const wrong =
  'This user name and password do not match an active account. Check both, or ask the owner of the server; after ten failures an account is locked for ten minutes.';
const stale = 'This form was open too long, or was not opened here. Sign in again.';
const busy = 'Too many people are signing in at once. Try again in a few seconds.';
// Above the length of any allowed password in any Unicode normalization form.
const maxFieldLength = 1024;

/** Sign-in and sign-out for browsers. */
export function registerSignInRoutes(app: App, deps: Deps): void {
  const forms = formTokens(deps.csrfKey, deps.baseUrl);
  const limits = signInLimits(deps);
  const pendings = new PendingSignIns(deps);
  registerSecondFactorRoutes(app, deps, pendings, forms);

  app.get('/users/sign_in', { schema: { hide: true } }, async (request, reply) => {
    if (await deps.users.isEmpty()) return sendPage(reply, 200, title, notSetUpPage());
    const query = request.query as Record<string, unknown>;
    const returnTo = localPath(query['return_to']) ?? home;
    const cookie = readSessionCookie(request, deps.baseUrl());
    // With "again" a user who is signed in must authenticate again, or as another user.
    if (query['again'] === undefined && cookie !== undefined && (await deps.sessions.resolve(cookie)))
      return seeOther(reply, returnTo);
    return form(forms, request, reply, 200, returnTo, '', null);
  });

  app.post('/users/sign_in', { schema: { hide: true } }, async (request, reply) => {
    const returnTo = localPath(formText(request, 'return_to')) ?? home;
    const username = formText(request, 'username');
    if (!forms.isValid(request, formText(request, 'form_token')))
      return form(forms, request, reply, 403, returnTo, username, stale);
    const check = await checked(deps, limits, request, username.trim());
    if (typeof check === 'number') {
      reply.header('retry-after', String(check));
      return form(
        forms,
        request,
        reply,
        429,
        returnTo,
        username,
        `Too many attempts. Try again in ${countOf(check, 'second')}.`,
      );
    }
    if (check === 'busy') {
      reply.header('retry-after', '5');
      return form(forms, request, reply, 503, returnTo, username, busy);
    }
    if (!check?.ok) return form(forms, request, reply, 422, returnTo, username, wrong);
    const { user } = check;
    if (await deps.secondFactors.enabled(user.id)) {
      await pendings.begin(reply, user, returnTo);
      return seeOther(reply, secondFactorAddress);
    }
    await beginSession(deps, request, reply, user.id, { how: 'password', secondFactor: false });
    return seeOther(reply, returnTo);
  });
  registerSignOut(app, deps);
}

function registerSignOut(app: App, deps: Deps): void {
  app.post('/users/sign_out', { schema: { hide: true } }, async (request, reply) => {
    const cookie = readSessionCookie(request, deps.baseUrl());
    if (cookie !== undefined) {
      const field = formText(request, 'csrf_token');
      if (!csrfHolds(request, cookie, deps.csrfKey) && !sameText(field, csrfToken(cookie, deps.csrfKey))) {
        throw new HttpProblem(403, 'The X-CSRF-Token header is missing or old. Load the page again.', { type: 'csrf' });
      }
      await deps.sessions.end(cookie);
      clearSessionCookie(reply, deps.baseUrl());
    }
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    return isForm ? seeOther(reply, '/users/sign_in') : reply.header('cache-control', 'no-store').code(204).send();
  });
}

/**
 * @returns null for input that no account can have, or the seconds to wait after too many
 * failures.
 */
async function checked(
  deps: Deps,
  limits: SignInLimits,
  request: FastifyRequest,
  username: string,
): Promise<PasswordCheck | 'busy' | number | null> {
  const origin = originOf(request, deps.baseUrl());
  const account = username.toLowerCase().slice(0, 255);
  const user = username.length <= 255 ? await deps.users.byUsername(username) : null;
  const attempt = await limits.begin(await placeOf(deps, user?.id ?? null, origin), account);
  if (typeof attempt === 'number') return attempt;
  const password = formText(request, 'password');
  const possible = username.length <= 255 && password.length > 0 && password.length <= maxFieldLength;
  let failed = true;
  try {
    const check = possible ? await checkPassword(deps, username, password, origin) : null;
    failed = check?.ok !== true;
    return check;
  } catch (error) {
    failed = false;
    if (error instanceof HttpProblem && error.status === 503) return 'busy';
    throw error;
  } finally {
    attempt.end(failed);
  }
}

function form(
  forms: FormTokens,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  returnTo: string,
  username: string,
  failure: string | null,
): FastifyReply {
  return sendPage(
    reply,
    status,
    title,
    signInPage({ formToken: forms.issue(request, reply), returnTo, username: username.slice(0, 255), failure }),
  );
}
