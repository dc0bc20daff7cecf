import { randomBytes } from 'node:crypto';
import { isLocked } from '../../database/write-lock.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { reachesStill, type Principal } from '../../http/principal.ts';
import type { SessionRow, SessionsStore } from './sessions-store.ts';
import type { UsersStore } from './users-store.ts';

/** A session ends two weeks after the sign-in, when its browser drops the cookie: what was copied from there must not live longer by being used. */
export const sessionLifetimeMs = 14 * 24 * 3600_000;
const touchEveryMs = 60_000;
const newCookie = () => randomBytes(32).toString('hex');

export interface Sessions {
  /** @returns the value of the cookie; it is known nowhere else. */
  begin(userId: number, address: string | null, userAgent: string | null, secondFactor?: boolean): Promise<string>;
  resolve(cookie: string): Promise<Principal | null>;
  /** The session of a cookie: since when, and when its user last proved who they are. */
  row(cookie: string): Promise<SessionRow | null>;
  ofUser(userId: number): Promise<readonly SessionRow[]>;
  /** Notes that the user has just proved who they are. */
  confirm(id: number): Promise<void>;
  /** Notes that the user has just proved to have the second factor. */
  confirmFactor(id: number): Promise<void>;
  /** The same, and the session gets another cookie; the old one opens nothing any more. @returns its value. */
  renew(id: number): Promise<string>;
  end(cookie: string): Promise<void>;
  /** @returns whether the user had such a session. */
  endOne(userId: number, id: number): Promise<boolean>;
  /** Signs a user out everywhere, but for the session `except`. */
  endAllOf(userId: number, except?: number | null): Promise<void>;
  /** Forgets what has expired. */
  sweep(): Promise<void>;
}

/** Signed-in browsers. */
export function sessions(store: SessionsStore, users: UsersStore): Sessions {
  /** Who reads does not wait for other programs that write; the next request notes it. */
  async function touch(id: number, now: number): Promise<void> {
    await store.touch(id, now).catch((error: unknown) => {
      if (!isLocked(error)) throw error;
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
