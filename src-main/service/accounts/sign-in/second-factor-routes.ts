import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countOf } from '../../common/count-of.ts';
import type { App } from '../../http/app.ts';
import { sendPage } from '../../http/pages/page-layout.ts';
import { seeOther } from '../../http/pages/see-other.ts';
import { parseJson } from '../../common/parse-json.ts';
import { beginSession } from '../sessions/begin-session.ts';
import type { FormTokens } from './form-token.ts';
import { formText } from './form-text.ts';
import type { PendingSignIn, PendingSignIns } from './pending-sign-ins.ts';
import { secondFactorPage, type SecondFactorForm } from './second-factor-page.ts';
import { securityKeyScript } from './security-key-script.ts';
import { signInLimits } from '../attempts/sign-in-limits.ts';
import { originOf, placeOf } from '../store/sign-in-place.ts';
import { verifySecondFactor, type SecondFactor } from '../second-factors/verify-second-factor.ts';
import { authenticationOptions } from '../second-factors/webauthn.ts';
import { relyingPartyAt } from '../second-factors/webauthn-here.ts';
import type { AccountStores } from '../store/stores.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = AccountStores &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'baseUrl' | 'cluster' | 'events' | 'secrets'>;

/** Path to which a browser is redirected after the password of a user with a second factor. */
export const secondFactorAddress = '/users/sign_in/second_factor';
const title = 'One more step';
const wrong =
  'This code is wrong. Each code works once: wait for the next one, or use another recovery code. After ten failures an account is locked for ten minutes.';
const stale = 'This page was open too long, or was not opened here. Try again.';

/** The second step of the sign-in, for users with a second factor. */
export function registerSecondFactorRoutes(app: App, deps: Deps, pendings: PendingSignIns, forms: FormTokens): void {
  const limits = signInLimits(deps);
  const scriptTag = `"${createHash('sha256').update(securityKeyScript).digest('hex').slice(0, 32)}"`;

  app.get('/-/security-key.js', { schema: { hide: true } }, async (request, reply) => {
    reply.headers({ etag: scriptTag, 'cache-control': 'no-cache' }).type('text/javascript; charset=utf-8');
    return request.headers['if-none-match'] === scriptTag ? reply.code(304).send() : reply.send(securityKeyScript);
  });

  app.get(secondFactorAddress, { schema: { hide: true } }, async (request, reply) => {
    const pending = await pendings.peek(request);
    return pending ? page(deps, forms, request, reply, 200, pending, null) : backToPassword(reply);
  });

  app.post(secondFactorAddress, { schema: { hide: true } }, async (request, reply) => {
    const known = await pendings.peek(request);
    if (!known) return backToPassword(reply);
    if (!forms.isValid(request, formText(request, 'form_token')))
      return page(deps, forms, request, reply, 403, known, stale);
    const place = await placeOf(deps, known.userId, originOf(request, deps.baseUrl()));
    const attempt = await limits.begin(place, String(known.userId));
    if (typeof attempt === 'number') {
      reply.header('retry-after', String(attempt));
      return page(
        deps,
        forms,
        request,
        reply,
        429,
        known,
        `Too many attempts. Try again in ${countOf(attempt, 'second')}.`,
      );
    }
    let failed = false;
    try {
      // Each attempt removes the record, so that only one of several concurrent attempts is
      // checked.
      const pending = await pendings.take(request, reply);
      const user = pending && (await deps.users.byId(pending.userId));
      if (!pending || !user || !pendings.isCurrent(pending, user)) return backToPassword(reply);
      const how = await verifySecondFactor(deps, pending.userId, submittedFactor(request, pending), place);
      failed = how === null;
      return how === null
        ? await retryPage(deps, pendings, forms, request, reply, user, pending)
        : await continueSignIn(deps, request, reply, pending, how);
    } finally {
      attempt.end(failed);
    }
  });
}

async function retryPage(
  deps: Deps,
  pendings: PendingSignIns,
  forms: FormTokens,
  request: FastifyRequest,
  reply: FastifyReply,
  user: UserRow,
  { returnTo, until }: PendingSignIn,
): Promise<FastifyReply> {
  const next = await pendings.begin(reply, user, returnTo, until);
  return page(deps, forms, request, reply, 422, next, wrong);
}

async function continueSignIn(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingSignIn,
  how: string,
): Promise<FastifyReply> {
  await beginSession(deps, request, reply, pending.userId, { how: `password and ${how}`, secondFactor: true });
  return seeOther(reply, pending.returnTo);
}

async function page(
  deps: Deps,
  forms: FormTokens,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  pending: PendingSignIn,
  failure: string | null,
): Promise<FastifyReply> {
  const key = await deps.totpKeys.ofUser(pending.userId);
  const totp = key !== null && key.confirmed_at !== null;
  const recoveryCodes = (await deps.recoveryCodes.left(pending.userId)) > 0;
  const { keyOptions, keysUnavailable } = await keysAt(deps, request.host, pending);
  return sendPage(
    reply,
    status,
    title,
    secondFactorPage({
      formToken: forms.issue(request, reply),
      totp,
      recoveryCodes,
      keyOptions,
      keysUnavailable,
      failure,
    }),
  );
}

/** Options for the user's security keys, or why they cannot be used here. @param host of the request, with its port. */
async function keysAt(
  deps: Deps,
  host: string,
  { userId, challenge }: PendingSignIn,
): Promise<Pick<SecondFactorForm, 'keyOptions' | 'keysUnavailable'>> {
  const keys = await deps.webauthnKeys.ofUser(userId);
  if (keys.length === 0) return { keyOptions: null, keysUnavailable: null };
  const party = relyingPartyAt(host, deps.baseUrl());
  if (typeof party === 'string') return { keyOptions: null, keysUnavailable: party };
  return { keyOptions: await authenticationOptions(party, keys, challenge), keysUnavailable: null };
}

function submittedFactor(request: FastifyRequest, pending: PendingSignIn): SecondFactor {
  const response = formText(request, 'response');
  if (response === '') return { code: formText(request, 'code') };
  return { response: parseJson(response), challenge: pending.challenge };
}

function backToPassword(reply: FastifyReply): FastifyReply {
  return seeOther(reply, '/users/sign_in');
}
