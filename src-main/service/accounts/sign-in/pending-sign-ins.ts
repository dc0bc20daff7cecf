import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie, type OwnCookie } from '../../http/own-cookie.ts';
import type { ServiceContext } from '../../http/service-context.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { ShortLived } from '../../short-lived/short-lived.ts';
import type { ShortLivedStores } from '../../short-lived/stores.ts';
import type { UserRow } from '../store/user-rows.ts';

type Deps = ShortLivedStores & Pick<ServiceContext, 'baseUrl'>;

/** A sign-in with a correct password that waits for its second factor. */
export interface PendingSignIn {
  readonly userId: number;
  /** Digest that changes with the password: a password change invalidates this sign-in. */
  readonly passwordMark: string;
  readonly returnTo: string;
  /** For the user's security keys, in base64url. */
  readonly challenge: string;
  /** When the password must be entered again, in milliseconds since 1970. */
  readonly until: number;
}

type SignedInUser = Pick<UserRow, 'id' | 'password_hash'>;

const plainName = 'benchport_pending';
const lifetimeMs = 5 * 60_000;

/**
 * Sign-ins between password and second factor. They are not sessions and give no access. Each
 * attempt removes the record, so that concurrent requests cannot guess a code and a challenge
 * cannot be used twice.
 */
export class PendingSignIns {
  readonly #records: ShortLived<PendingSignIn>;
  readonly #baseUrl: () => string;

  constructor(deps: Deps) {
    this.#records = new ShortLived(deps.shortLived, { kind: 'sign-in', maxEntries: 10_000, maxPerOwner: 1000 });
    this.#baseUrl = deps.baseUrl;
  }

  /**
   * @param until end of the sign-in to which this attempt belongs.
   * @returns the record, with a new challenge.
   */
  async begin(
    reply: FastifyReply,
    user: SignedInUser,
    returnTo: string,
    until = Date.now() + lifetimeMs,
  ): Promise<PendingSignIn> {
    const id = randomBytes(32).toString('hex');
    const challenge = randomBytes(32).toString('base64url');
    const pending = { userId: user.id, passwordMark: markOf(user), returnTo, challenge, until };
    await this.#records.put(id, user.id, pending, until);
    const { name, attributes } = this.#cookie(reply.request);
    reply.setCookie(name, id, { ...attributes, maxAge: Math.max(1, Math.ceil((until - Date.now()) / 1000)) });
    return pending;
  }

  async peek(request: FastifyRequest): Promise<PendingSignIn | null> {
    return this.#records.peek(this.#id(request));
  }

  async take(request: FastifyRequest, reply: FastifyReply): Promise<PendingSignIn | null> {
    const { name, attributes } = this.#cookie(request);
    reply.clearCookie(name, attributes);
    return this.#records.take(this.#id(request));
  }

  /** Whether the user's password is still the one that was entered. */
  isCurrent(pending: PendingSignIn, user: SignedInUser): boolean {
    return pending.passwordMark === markOf(user);
  }

  #id(request: FastifyRequest): string {
    return request.cookies[this.#cookie(request).name] ?? '';
  }

  #cookie(request: FastifyRequest): OwnCookie {
    return ownCookie(plainName, request, this.#baseUrl());
  }
}

function markOf({ password_hash: passwordHash }: SignedInUser): string {
  return secretDigest(passwordHash ?? '').toString('base64url');
}
