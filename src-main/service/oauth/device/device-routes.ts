import { randomBytes } from 'node:crypto';
import { shareOfLimit } from '../../database/cluster/share-of-limit.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { formText } from '../../accounts/sign-in/form-text.ts';
import { countOf } from '../../common/count-of.ts';
import type { App } from '../../http/app.ts';
import { csrfToken, isFromElsewhere, sameText } from '../../http/csrf.ts';
import { asProblem } from '../../http/server/error-handler.ts';
import type { Html } from '../../http/pages/page-html.ts';
import { HttpProblem } from '../../common/problem.ts';
import { secondsToWait } from '../../http/require-limit.ts';
import { loginOf, type Login } from '../consent/authorize-login.ts';
import { userCodeDigest } from './device-authorize.ts';
import type { WaitingDevice } from '../store/device-rows.ts';
import { deviceCodePage, deviceConsentPage, deviceMessagePage, devicePath } from './device-page.ts';
import { readUserCode } from './device-user-code.ts';
import { sendPrivatePage, withPrivateHeaders } from '../consent/private-page.ts';
import { lifetimes } from '../shared/types.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import { ShortLived } from '../../short-lived/short-lived.ts';
import type { ShortLivedStores } from '../../short-lived/stores.ts';

type Deps = Pick<AccountStores, 'users' | 'sessions'> &
  Pick<OAuthStores, 'applications' | 'deviceCodes'> &
  ShortLivedStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'cluster' | 'secrets'> & {
    readonly csrfKey: Buffer;
  };

const title = 'Connect a device';
const windowMs = 5 * 60_000;
// A code has 34 bits and expires after five minutes: these limits make guessing infeasible (RFC
// 8628 section 5.1).
const perUser = 10;
const perAddress = 50;
const maxUserCodeLength = 32;
const decisions: ReadonlyMap<string, 'approved' | 'denied'> = new Map([
  ['approve', 'approved'],
  ['deny', 'denied'],
] as const);
const stale = 'This page was open too long, was already answered, or is not yours. Type the code again.';
const unknown = 'No device is waiting for this code. Check it, or start again on the device.';

/** The pages on which a user connects a device that has no browser (RFC 8628 section 3.3). */
export function registerDeviceRoutes(app: App, deps: Deps): void {
  // Devices whose consent page is open, found by the session that opened it.
  const pendings = new ShortLived<WaitingDevice>(deps.shortLived, {
    kind: 'device',
    maxEntries: 1000,
    maxPerOwner: 20,
  });
  const plain = { schema: { hide: true }, errorHandler: sendFailure };
  const users = new WeakMap<FastifyRequest, number>();
  const byAddress = app.createRateLimit({
    max: () => shareOfLimit(perAddress, deps.cluster),
    timeWindow: windowMs,
    keyGenerator: (request) => `device code ${request.ip}`,
  });
  const byUser = app.createRateLimit({
    max: () => shareOfLimit(perUser, deps.cluster),
    timeWindow: windowMs,
    keyGenerator: (request) => `device code of ${users.get(request) ?? ''}`,
  });

  app.get(devicePath, plain, async (request, reply) => {
    const typed = (request.query as Record<string, unknown>)['user_code'];
    const userCode = typeof typed === 'string' ? typed.slice(0, maxUserCodeLength) : '';
    const login = await loginOf(deps, request, deps.baseUrl());
    if (!login) return signIn(reply, userCode);
    return askForCode(deps, reply, login, 200, userCode, null);
  });

  app.post(devicePath, plain, async (request, reply) => {
    const login = await loginOf(deps, request, deps.baseUrl());
    if (!login) return signIn(reply, formText(request, 'user_code').slice(0, maxUserCodeLength));
    if (formText(request, 'request') !== '') return decide(deps, pendings, request, reply, login);
    const typed = formText(request, 'user_code').slice(0, maxUserCodeLength);
    if (isFromElsewhere(request) || !sameText(formText(request, 'csrf_token'), formToken(deps, login, 'code')))
      return askForCode(deps, reply, login, 403, typed, stale);
    users.set(request, login.userId);
    const wait = await secondsToWait(request, [byAddress, byUser]);
    if (wait > 0)
      return askForCode(
        deps,
        reply.header('retry-after', String(wait)),
        login,
        429,
        typed,
        `Too many attempts. Try again in ${countOf(wait, 'second')}.`,
      );
    return askForConsent(deps, pendings, reply, login, typed);
  });
}

async function askForConsent(
  deps: Deps,
  pendings: ShortLived<WaitingDevice>,
  reply: FastifyReply,
  login: Login,
  typed: string,
): Promise<FastifyReply> {
  const userCode = readUserCode(typed);
  const device = userCode === null ? null : await deps.deviceCodes.waiting(userCodeDigest(deps, userCode), Date.now());
  const application = device && (await deps.applications.byId(device.application_id));
  const owner = application && (await deps.users.byId(application.ownerId));
  if (userCode === null || !device || !application || !owner)
    return askForCode(deps, reply, login, 422, typed, unknown);
  const request = randomBytes(32).toString('hex');
  await pendings.put(formSecret(login, request), login.userId, device, Date.now() + lifetimes.deviceCode);
  const { username } = login;
  const scopes = device.scopes.split(' ');
  return send(
    reply,
    200,
    deviceConsentPage({
      application,
      owner,
      username,
      userCode,
      scopes,
      request,
      csrfToken: formToken(deps, login, request),
    }),
  );
}

async function decide(
  deps: Deps,
  pendings: ShortLived<WaitingDevice>,
  request: FastifyRequest,
  reply: FastifyReply,
  login: Login,
): Promise<FastifyReply> {
  const id = formText(request, 'request');
  const secret = formSecret(login, id);
  const holds = sameText(formText(request, 'csrf_token'), formToken(deps, login, id));
  if (!holds || isFromElsewhere(request) || !(await pendings.peek(secret)))
    return askForCode(deps, reply, login, 403, '', stale);
  const decision = decisions.get(formText(request, 'decision'));
  if (decision === undefined) throw new HttpProblem(400, 'The form contains no decision. Choose Allow or Deny.');
  const device = await pendings.take(secret);
  if (!device) return askForCode(deps, reply, login, 403, '', stale);
  if (!(await deps.deviceCodes.decide(device.id, decision, login.userId, login.signedInAt)))
    return askForCode(deps, reply, login, 422, '', unknown);
  await deps.audit.record({
    userId: login.userId,
    action: decision === 'approved' ? 'oauth.approve' : 'oauth.deny',
    subject: `application:${device.application_id}`,
    detail: `asked, device, ${device.scopes}`,
    applicationId: device.application_id,
    address: request.ip,
  });
  if (decision === 'denied')
    return send(reply, 200, deviceMessagePage('Access denied', 'The device gets no access. You can close this page.'));
  return send(
    reply,
    200,
    deviceMessagePage(
      'Device connected',
      'Go back to the device: it continues automatically in a few seconds. You can close this page.',
    ),
  );
}

function askForCode(
  deps: Deps,
  reply: FastifyReply,
  login: Login,
  status: number,
  userCode: string,
  failure: string | null,
): FastifyReply {
  return send(
    reply,
    status,
    deviceCodePage({ csrfToken: formToken(deps, login, 'code'), username: login.username, userCode, failure }),
  );
}

function formToken(deps: Deps, login: Login, form: string): string {
  return csrfToken(formSecret(login, form), deps.csrfKey);
}

// Binds the pending device and the CSRF token to one form of one session.
function formSecret(login: Login, form: string): string {
  return `${login.cookie} device ${form}`;
}

function signIn(reply: FastifyReply, userCode: string): FastifyReply {
  const page =
    userCode === '' ? devicePath : `${devicePath}?${new URLSearchParams({ user_code: userCode }).toString()}`;
  return withPrivateHeaders(reply).redirect(`/users/sign_in?return_to=${encodeURIComponent(page)}`, 303);
}

function sendFailure(thrown: FastifyError | HttpProblem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = asProblem(thrown, request);
  return send(
    reply.headers(problem.headers),
    problem.status,
    deviceMessagePage('This cannot continue', problem.message),
  );
}

function send(reply: FastifyReply, status: number, body: Html): FastifyReply {
  return sendPrivatePage(reply, status, title, body);
}
