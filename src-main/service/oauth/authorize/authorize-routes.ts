import { randomBytes } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { formText } from '../../accounts/sign-in/form-text.ts';
import { AuthorizationRequest } from '../../contract/oauth.ts';
import type { App } from '../../http/app.ts';
import { csrfToken, isFromElsewhere, sameText } from '../../http/csrf.ts';
import { asProblem } from '../../http/server/error-handler.ts';
import { HttpProblem } from '../../common/problem.ts';
import { approve, deny } from './authorize-decision.ts';
import { AuthorizeFault } from '../consent/authorize-fault.ts';
import { hintedUser } from './authorize-hint.ts';
import { loginOf, mustSignIn, type Login } from '../consent/authorize-login.ts';
import { packedOf, queryOf, signInAddress } from './authorize-sign-in.ts';
import { pairsOfForm, readAuthorizeParameters, type AuthorizeParameters } from '../consent/authorize-parameters.ts';
import {
  responseLocation,
  responseParameters,
  type ResponseParameters,
  type ReturnAddress,
} from '../consent/authorize-redirect.ts';
import { readAuthorizeRequest, type AuthorizeRequest } from '../consent/authorize-request.ts';
import { consentRequest, type ConsentRequest } from '../consent/consent-request.ts';
import { consentNeeded } from '../consent/consent-needed.ts';
import {
  authorizeErrorPage,
  authorizePath,
  consentPage,
  formPostPage,
  formPostScript,
  redirectPage,
} from '../consent/consent-page.ts';
import { sendPrivatePage, withPrivateHeaders } from '../consent/private-page.ts';
import { schemeOf } from '../consent/redirect-uri.ts';
import type { SigningKey } from '../../secrets/signing-key.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import { ShortLived } from '../../short-lived/short-lived.ts';
import type { ShortLivedStores } from '../../short-lived/stores.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> &
  Pick<OAuthStores, 'applications' | 'oauth'> &
  ShortLivedStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'events' | 'settings'> & {
    readonly signingKey: () => Promise<SigningKey>;
    readonly csrfKey: Buffer;
  };

const title = 'Give access';
const stale =
  'This page was open too long, was already answered, or is not yours. Go back to the application and start again.';
const pendingForMs = 10 * 60_000;

/** The authorization endpoint with its consent page (RFC 6749 section 3.1). */
export function registerAuthorizeRoutes(app: App, deps: Deps): void {
  // Requests that wait for their user's decision, found by the session in which they were shown.
  const pendings = new ShortLived<ConsentRequest>(deps.shortLived, {
    kind: 'consent',
    maxEntries: 5000,
    maxPerOwner: 50,
  });
  // The schema only documents the parameters. `readAuthorizeRequest` validates them, because errors
  // are shown on a page or sent to the client.
  const plain = { errorHandler: sendFailure, validatorCompiler: () => (value: unknown) => ({ value }) };
  const described = { tags: ['oauth'], security: [{}] };
  const asAddress = {
    ...described,
    summary: 'Ask a user for access (RFC 6749 section 3.1)',
    operationId: 'authorize',
    querystring: AuthorizationRequest,
  };

  app.get(authorizePath, { ...plain, schema: asAddress }, async (request, reply) => {
    const parameters = readAuthorizeParameters(queryOf(request));
    return askConsent(deps, pendings, request, reply, parameters, await readAuthorizeRequest(deps, parameters));
  });
  const asForm = {
    ...described,
    summary:
      'Authorization request as a form (OpenID Connect Core section 3.1.2.1), and the decision of the consent page',
    operationId: 'authorizeByForm',
    consumes: ['application/x-www-form-urlencoded'],
    body: AuthorizationRequest,
  };

  app.post(authorizePath, { ...plain, schema: asForm }, async (request, reply) => {
    if (isDecision(request.body)) return decide(deps, pendings, request, reply);
    // A request sent as a form (OpenID Connect Core section 3.1.2.1) is posted from another site,
    // so the browser withholds the session cookie (SameSite). After validation the request is
    // repeated as a GET, which carries the cookie.
    const parameters = readAuthorizeParameters(pairsOfForm(request.body));
    await readAuthorizeRequest(deps, parameters);
    return redirectPrivately(reply, 303, `${authorizePath}?${parameters.toQuery().toString()}`);
  });

  app.get(formPostScript.path, { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(formPostScript.text),
  );
  function sendFailure(
    thrown: FastifyError | AuthorizeFault | HttpProblem,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    if (thrown instanceof AuthorizeFault) {
      if (thrown.back) {
        return answer(deps, request, reply, thrown.back, { error: thrown.code, error_description: thrown.message });
      }
      return sendPrivatePage(reply, 400, title, authorizeErrorPage(thrown.message));
    }
    const problem = asProblem(thrown, request);
    return sendPrivatePage(reply.headers(problem.headers), problem.status, title, authorizeErrorPage(problem.message));
  }
}

async function askConsent(
  deps: Deps,
  pendings: ShortLived<ConsentRequest>,
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: AuthorizeParameters,
  wanted: AuthorizeRequest,
): Promise<FastifyReply> {
  const { back, prompt } = wanted;
  const hinted = await hintedUser(deps, wanted);
  const login = await loginOf(deps, request, deps.baseUrl());
  if (!login || mustSignIn(wanted, login, hinted, Date.now())) {
    if (prompt.has('none')) throw new AuthorizeFault('login_required', 'The user has to sign in.', back);
    return redirectPrivately(reply, 302, signInAddress(parameters, back, login !== null));
  }
  if (hinted !== null && hinted !== login.userId)
    throw new AuthorizeFault('login_required', 'Another user has signed in.', back);
  const need = await consentNeeded(deps, wanted, login.userId);
  if (!need.ask) return answer(deps, request, reply, back, await approve(deps, wanted, login, request.ip, need.why));
  if (prompt.has('none')) throw new AuthorizeFault('consent_required', 'The user has to be asked.', back);
  return showConsent(deps, pendings, reply, parameters, wanted, login);
}

async function showConsent(
  deps: Deps,
  pendings: ShortLived<ConsentRequest>,
  reply: FastifyReply,
  parameters: AuthorizeParameters,
  wanted: AuthorizeRequest,
  login: Login,
): Promise<FastifyReply> {
  const owner = await deps.users.byId(wanted.application.ownerId);
  if (!owner) throw new Error(`application ${wanted.application.id} has no owner`);
  const id = randomBytes(32).toString('hex');
  const secret = formSecret(login.cookie, id);
  await pendings.put(secret, login.userId, consentRequest(wanted), Date.now() + pendingForMs);
  const page = consentPage({
    wanted,
    owner,
    username: login.username,
    request: id,
    csrfToken: csrfToken(secret, deps.csrfKey),
    otherAccount: signInAddress(parameters, wanted.back, true),
  });
  allowFormTo(reply, wanted.back);
  return sendPrivatePage(reply, 200, title, page);
}

async function decide(
  deps: Deps,
  pendings: ShortLived<ConsentRequest>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const id = formText(request, 'request');
  const decision = formText(request, 'decision');
  const login = await loginOf(deps, request, deps.baseUrl());
  const secret = formSecret(login?.cookie ?? '', id);
  const holds = sameText(formText(request, 'csrf_token'), csrfToken(secret, deps.csrfKey));
  if (!login || !holds || isFromElsewhere(request) || !(await pendings.peek(secret))) throw new HttpProblem(403, stale);
  if (decision !== 'approve' && decision !== 'deny')
    throw new HttpProblem(400, 'The form contains no decision. Choose Allow or Deny.');
  // The pending request holds all other details: the form carries only its id and the decision.
  const wanted = await pendings.take(secret);
  if (!wanted) throw new HttpProblem(403, stale);
  const members =
    decision === 'approve'
      ? await approve(deps, wanted, login, request.ip, 'asked')
      : await deny(deps, wanted, login, request.ip);
  return answer(deps, request, reply, wanted.back, members);
}

function answer(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  back: ReturnAddress,
  members: ResponseParameters,
): FastifyReply {
  const all = responseParameters(back, deps.baseUrl(), members);
  if (back.mode === 'form_post') {
    allowFormTo(reply, back);
    return sendPrivatePage(reply, 200, title, formPostPage(back.redirectUri, all));
  }
  const location = responseLocation(back, all);
  // The CSP of the sign-in form allows only this server, and browsers apply it to every redirect
  // after the form: an intermediate page breaks the chain.
  if (packedOf(request) !== null)
    return sendPrivatePage(
      reply.header('refresh', `0;url=${location}`),
      200,
      title,
      redirectPage(back.redirectUri, location),
    );
  // RFC 9700 section 4.12: a 307 would forward the form to the client.
  return redirectPrivately(reply, request.method === 'POST' ? 303 : 302, location);
}

function isDecision(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'csrf_token' in body;
}

// Binds the pending request and the CSRF token to one form of one session, so that a token of another page or session is
// refused.
function formSecret(cookie: string, id: string): string {
  return `${cookie} ${id}`;
}

/**
 * Lets the consent form redirect to the client: browsers apply `form-action` also to the redirects
 * that follow a form. The scheme is allowed instead of the host, because clients may redirect
 * further, to another of their hosts or from the loopback to a page that reports success.
 */
function allowFormTo(reply: FastifyReply, back: ReturnAddress): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  reply.header(
    'content-security-policy',
    policy.replace("form-action 'self'", `form-action 'self' ${schemeOf(back.redirectUri)}`),
  );
}

function redirectPrivately(reply: FastifyReply, status: 302 | 303, location: string): FastifyReply {
  return withPrivateHeaders(reply).redirect(location, status);
}
