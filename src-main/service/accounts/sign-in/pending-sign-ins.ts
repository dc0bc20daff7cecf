import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie, type OwnCookie } from '../../http/own-cookie.ts';
import { ShortLived } from '../second-factors/short-lived.ts';
import { authenticationOptions } from '../second-factors/webauthn.ts';
import { relyingPartyAt } from '../second-factors/webauthn-here.ts';
import type { AccountStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'webauthnKeys'> & Pick<ServiceContext, 'baseUrl'>;

/** A sign-in with a correct password that waits for its second factor. */
export interface PendingSignIn {
  readonly userId: number;
  /** Hash of the verified password: a password change invalidates this sign-in. */
  readonly passwordHash: string | null;
  readonly returnTo: string;
  /**
   * Options for the user's security keys with the challenge; null when the user has none that work
   * here.
   */
  readonly keyOptions: { readonly challenge: string } | null;
  /** Why the user's security keys cannot be used at this address; null when they can. */
  readonly keysUnavailable: string | null;
  /** When the password must be entered again, in milliseconds since 1970. */
  readonly until: number;
}

const plainName = 'benchport_pending';
const maxPending = 10_000;
const lifetimeMs = 5 * 60_000;

/**
 * Sign-ins between password and second factor. They are not sessions and give no access. Each
 * attempt removes the record, so that concurrent requests cannot guess a code and a challenge
 * cannot be used twice.
 */
export class PendingSignIns {
  readonly #records = new ShortLived<PendingSignIn>(maxPending);
  readonly #baseUrl: () => string;

  constructor(baseUrl: () => string) {
    this.#baseUrl = baseUrl;
  }

  begin(reply: FastifyReply, pending: PendingSignIn): void {
    const id = randomBytes(32).toString('hex');
    this.#records.put(id, pending, pending.until);
    const { name, attributes } = this.#cookie(reply.request);
    reply.setCookie(name, id, { ...attributes, maxAge: Math.max(1, Math.ceil((pending.until - Date.now()) / 1000)) });
  }

  peek(request: FastifyRequest): PendingSignIn | null {
    return this.#records.peek(this.#id(request));
  }

  take(request: FastifyRequest, reply: FastifyReply): PendingSignIn | null {
    const { name, attributes } = this.#cookie(request);
    reply.clearCookie(name, attributes);
    return this.#records.take(this.#id(request));
  }

  #id(request: FastifyRequest): string {
    return request.cookies[this.#cookie(request).name] ?? '';
  }

  #cookie(request: FastifyRequest): OwnCookie {
    return ownCookie(plainName, request, this.#baseUrl());
  }
}

/**
 * Creates the record of a sign-in whose password was correct. @param host of the request, with its
 * port.
 */
export async function pendingSignIn(
  deps: Deps,
  host: string,
  user: Pick<PendingSignIn, 'userId' | 'passwordHash'>,
  returnTo: string,
  until = Date.now() + lifetimeMs,
): Promise<PendingSignIn> {
  const { userId, passwordHash } = user;
  const keys = await deps.webauthnKeys.ofUser(userId);
  const party = relyingPartyAt(host, deps.baseUrl());
  const known = { userId, passwordHash, returnTo, until };
  if (typeof party === 'string') return { ...known, keyOptions: null, keysUnavailable: keys.length > 0 ? party : null };
  return {
    ...known,
    keyOptions: keys.length === 0 ? null : await authenticationOptions(party, keys),
    keysUnavailable: null,
  };
}
