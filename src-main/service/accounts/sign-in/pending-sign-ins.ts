import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie, type OwnCookie } from '../../http/own-cookie.ts';
import { ShortLived } from '../second-factors/short-lived.ts';
import { authenticationOptions } from '../second-factors/webauthn.ts';
import { relyingPartyAt } from '../second-factors/webauthn-here.ts';
import type { AccountStores } from '../store/stores.ts';

type Deps = Pick<AccountStores, 'webauthnKeys'> & { readonly baseUrl: () => string };

/** A sign-in whose password was right and whose second factor is awaited. */
export interface PendingSignIn {
  readonly userId: number;
  /** Of the password that was right: a new one ends this. */
  readonly passwordHash: string | null;
  readonly returnTo: string;
  /** Options for the browser's security keys, with the challenge; null when the user has none that work here. */
  readonly keyOptions: { readonly challenge: string } | null;
  /** Why the user's security keys cannot be used at this address. */
  readonly keysUnavailable: string | null;
  /** When the password has to be given again, milliseconds since 1970. */
  readonly until: number;
}

const plainName = 'benchport_pending';
const maxPending = 10_000;
const lifetimeMs = 5 * 60_000;

/**
 * Sign-ins between password and second factor. They are no sessions: they open nothing, live in memory for minutes, and each try takes the record
 * away, so that a code cannot be guessed by many requests at once, nor a challenge be answered twice.
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

  look(request: FastifyRequest): PendingSignIn | null {
    return this.#records.look(this.#id(request));
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

/** The record of a sign-in whose password was right. @param host of the request, with its port. */
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
