import type { Database, Transaction } from '../../database/port/database.ts';
import { isSame } from '../../database/port/dialect.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import { endGrants } from './grant-states.ts';

/**
 * The grants of a user to one application, merged; `applicationId` is null for the password grant
 * without one.
 */
export interface Authorization {
  readonly applicationId: number | null;
  readonly name: string | null;
  readonly confidential: boolean;
  readonly owner: { readonly id: number; readonly username: string; readonly name: string } | null;
  readonly scopes: readonly string[];
  /** Time of the newest approval, in milliseconds since 1970. */
  readonly authorizedAt: number;
  /** Newest first use or refresh of one of the tokens, in milliseconds since 1970. */
  readonly lastUsedAt: number | null;
}

/** Grants by user and application: for lists, remembered consent and revocation. */
export interface GrantLists {
  /** Scope sets of unrevoked grants that have a valid token. */
  approvedScopes(applicationId: number, userId: number): Promise<readonly string[][]>;
  authorizationsOf(userId: number): Promise<readonly Authorization[]>;
  /** Number of users with a valid grant to an application. */
  authorizationsCount(applicationId: number): Promise<number>;
  /**
   * Revokes all grants of a user to an application (null: of the password grant without one). The
   * caller invalidates the caches. @returns how many.
   */
  revokeOfUserAndApplication(userId: number, applicationId: number | null): Promise<number>;
  /** Revokes all grants of a user. The caller invalidates the caches. @returns how many. */
  revokeAllOfUser(userId: number): Promise<number>;
}

interface LiveGrant {
  readonly application_id: number | null;
  readonly application_name: string | null;
  readonly confidential: 0 | 1 | null;
  readonly owner_id: number | null;
  readonly owner_username: string | null;
  readonly owner_name: string | null;
  readonly scopes: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

const hasLiveToken = `EXISTS (SELECT 1 FROM oauth_tokens AS token WHERE token.grant_id = g.id AND token.revoked_at IS NULL
  AND (token.expires_at > @now OR token.refresh_expires_at > @now))`;

const approved = readValue<{ readonly application: number; readonly user: number; readonly now: number }, string>(
  `SELECT DISTINCT scopes FROM oauth_grants AS g WHERE application_id = @application AND user_id = @user AND revoked_at IS NULL AND ${hasLiveToken}`,
);
const live = read<{ readonly user: number; readonly now: number }, LiveGrant>(
  `SELECT application_id, application.name AS application_name, confidential, owner.id AS owner_id, owner.username AS owner_username,
     owner.name AS owner_name, g.scopes, g.created_at,
     (SELECT max(max(coalesce(first_used_at, 0), coalesce(refreshed_at, 0))) FROM oauth_tokens WHERE grant_id = g.id) AS last_used_at
   FROM oauth_grants AS g LEFT JOIN oauth_applications AS application ON application.id = application_id LEFT JOIN users AS owner ON owner.id = owner_id
   WHERE user_id = @user AND revoked_at IS NULL AND ${hasLiveToken} ORDER BY g.id DESC`,
);
const count = readValue<{ readonly application: number; readonly now: number }, number>(
  `SELECT count(DISTINCT user_id) FROM oauth_grants AS g WHERE application_id = @application AND revoked_at IS NULL AND ${hasLiveToken}`,
);
const revokePair = write<[number, number, number, number | null]>(
  endGrants('revoke', `user_id = ? AND ${isSame('application_id', '?')}`),
);
const revokeAll = write<[number, number, number]>(endGrants('revoke', 'user_id = ?'));
// An approved device code is a token that the device has not fetched yet.
const deletePairDevices = write<[number, number | null]>(
  `DELETE FROM oauth_device_codes WHERE user_id = ? AND ${isSame('application_id', '?')}`,
);
const deleteDevices = write<[number]>('DELETE FROM oauth_device_codes WHERE user_id = ?');

/** Lists of grants. */
export function grantLists(database: Database): GrantLists {
  function* revokePairNow(userId: number, applicationId: number | null): Transaction<number> {
    const now = Date.now();
    yield* run(deletePairDevices, userId, applicationId);
    return yield* run(revokePair, now, now, userId, applicationId);
  }
  function* revokeAllNow(userId: number): Transaction<number> {
    const now = Date.now();
    yield* run(deleteDevices, userId);
    return yield* run(revokeAll, now, now, userId);
  }

  return {
    approvedScopes: async (applicationId, userId) =>
      (await database.all(approved, { application: applicationId, user: userId, now: Date.now() })).map((scopes) =>
        scopes.split(' '),
      ),
    authorizationsOf: async (userId) => {
      const byApplication = new Map<number | null, Authorization>();
      for (const grant of await database.all(live, { user: userId, now: Date.now() })) {
        const known = byApplication.get(grant.application_id);
        byApplication.set(grant.application_id, known ? mergeGrant(known, grant) : authorization(grant));
      }
      return [...byApplication.values()];
    },
    authorizationsCount: async (applicationId) =>
      (await database.one(count, { application: applicationId, now: Date.now() })) ?? 0,
    revokeOfUserAndApplication: async (userId, applicationId) =>
      database.transaction(() => revokePairNow(userId, applicationId)),
    revokeAllOfUser: async (userId) => database.transaction(() => revokeAllNow(userId)),
  };
}

function authorization(grant: LiveGrant): Authorization {
  const { owner_id: id, owner_username: username, owner_name: name } = grant;
  return {
    applicationId: grant.application_id,
    name: grant.application_name,
    confidential: grant.confidential === 1,
    owner: id === null || username === null || name === null ? null : { id, username, name },
    scopes: grant.scopes.split(' '),
    authorizedAt: grant.created_at,
    lastUsedAt: grant.last_used_at === 0 ? null : grant.last_used_at,
  };
}

// Grants are sorted newest first; older ones only add scopes and later uses.
function mergeGrant(known: Authorization, grant: LiveGrant): Authorization {
  const older = authorization(grant);
  return {
    ...known,
    scopes: [...new Set([...known.scopes, ...older.scopes])],
    lastUsedAt: Math.max(known.lastUsedAt ?? 0, older.lastUsedAt ?? 0) || null,
  };
}
