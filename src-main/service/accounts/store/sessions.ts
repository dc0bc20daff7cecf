import { randomBytes } from 'node:crypto';
import { temporaryFailure } from '../../database/engines/database-failures.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { reachesStill, type Principal } from '../../http/principal.ts';
import type { SessionRow, SessionsStore } from './sessions-store.ts';
import type { UsersStore } from './users-store.ts';

/**
 * A session lasts two weeks from the sign-in, as long as its cookie; using it does not extend it,
 * so that a stolen cookie expires too.
 */
export const sessionLifetimeMs = 14 * 24 * 3600_000;
const touchEveryMs = 60_000;
const newCookie = () => randomBytes(32).toString('hex');

export interface Sessions {
  /** @returns the value of the cookie, which is not stored. */
  begin(userId: number, address: string | null, userAgent: string | null, secondFactor?: boolean): Promise<string>;
  resolve(cookie: string): Promise<Principal | null>;
  /** The stored session of a cookie. */
  row(cookie: string): Promise<SessionRow | null>;
  ofUser(userId: number): Promise<readonly SessionRow[]>;
  /** Records that the user has just authenticated. */
  confirm(id: number): Promise<void>;
  /** Records that the user has just verified a second factor. */
  confirmFactor(id: number): Promise<void>;
  /**
   * Records an authentication and replaces the cookie; the old one becomes invalid. @returns the
   * new value.
   */
  renew(id: number): Promise<string>;
  end(cookie: string): Promise<void>;
  /** @returns false when the user has no such session. */
  endOne(userId: number, id: number): Promise<boolean>;
  /** Ends all sessions of a user except the one with the id `except`. */
  endAllOf(userId: number, except?: number | null): Promise<void>;
  /** Deletes expired sessions. */
  sweep(): Promise<void>;
}

/** Browser sessions with their principals. */
export function sessions(store: SessionsStore, users: UsersStore): Sessions {
  /** A read must not wait for a write lock of another process; the next request records the use. */
  async function touch(id: number, now: number): Promise<void> {
    await store.touch(id, now).catch((error: unknown) => {
      if (temporaryFailure(error) === null) throw error;
    });
  }

  async function resolve(cookie: string): Promise<Principal | null> {
    const now = Date.now();
    const row = await store.byHash(secretDigest(cookie), now);
    const user = row && (await users.byId(row.user_id));
    if (!row || !user) return null;
    if (now - row.last_used_at > touchEveryMs) await touch(row.id, now);
    return {
      userId: user.id,
      username: user.username,
      isAdmin: user.is_admin === 1,
      kind: 'session',
      tokenId: null,
      oauth: null,
      scopes: new Set(['api']),
      stillValid: async () => reachesStill(user.is_admin === 1, await resolve(cookie)),
    };
  }
  return {
    begin: async (userId, address, userAgent, secondFactor = false) => {
      const cookie = newCookie();
      await store.create({
        userId,
        tokenHash: secretDigest(cookie),
        expiresAt: Date.now() + sessionLifetimeMs,
        address,
        userAgent,
        secondFactor,
      });
      return cookie;
    },
    resolve,
    row: async (cookie) => store.byHash(secretDigest(cookie), Date.now()),
    ofUser: async (userId) => store.ofUser(userId, Date.now()),
    confirm: async (id) => store.confirm(id, Date.now()),
    confirmFactor: async (id) => store.confirmFactor(id, Date.now()),
    renew: async (id) => {
      const cookie = newCookie();
      await store.renew(id, secretDigest(cookie), Date.now());
      return cookie;
    },
    end: async (cookie) => store.remove(secretDigest(cookie)),
    endOne: async (userId, id) => store.removeOne(userId, id),
    endAllOf: async (userId, except = null) => store.removeOfUser(userId, except),
    sweep: async () => store.removeExpired(Date.now()),
  };
}
