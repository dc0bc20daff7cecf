import type { Database, Transaction } from '../../database/port/database.ts';
import { lockingRowsOf } from '../../database/port/dialect.ts';
import { read, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { HttpProblem } from '../../common/problem.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { checkCode, type CodeRefusal } from './exchange-check.ts';
import { checkRefresh, type RefreshRefusal } from './refresh-check.ts';
import { endGrants } from './grant-states.ts';
import { addGrant, addToken, newSecret } from './token-writer.ts';
import type { CodeRow, PresentedCode, PresentedRefresh, RefreshRow } from './token-rows.ts';
import { lifetimes, type Application, type Approval, type IssuedToken } from '../shared/types.ts';

/** Input for a token that is issued without a code. */
export interface DirectIssue {
  readonly kind: 'implicit' | 'password' | 'device';
  readonly application: Application | null;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly refreshable: boolean;
  readonly address: string | null;
}

/** A new token with its grant and user. */
export interface Issued {
  readonly token: IssuedToken;
  readonly grantId: number;
  readonly userId: number;
}

export type Exchanged =
  | ({ readonly ok: true; readonly nonce: string | null; readonly signedInAt: number } & Issued)
  | { readonly ok: false; readonly why: CodeRefusal; readonly grantId: number | null; readonly userId: number | null };

export type Refreshed =
  | ({ readonly ok: true; readonly retired: boolean } & Issued)
  | {
      readonly ok: false;
      readonly why: RefreshRefusal;
      readonly grantId: number | null;
      readonly userId: number | null;
    };

/** Issues codes and tokens, each in one transaction that concurrent requests share. */
export interface TokenIssues {
  /** @throws HttpProblem 409 when the application or the account no longer exists. */
  issueCode(approval: Approval): Promise<string>;
  issueImplicit(approval: Approval): Promise<IssuedToken>;
  /** @returns null when the account was blocked or the application removed concurrently. */
  issueDirectly(request: DirectIssue): Promise<Issued | null>;
  /** Like `issueDirectly`, within a transaction. */
  issueDirectlyNow(request: DirectIssue): Transaction<Issued | null>;
  /**
   * A replayed code has revoked its grant when this resolves; the caller invalidates the caches.
   */
  exchangeCode(presented: PresentedCode): Promise<Exchanged>;
  /**
   * A reused refresh token has revoked its family when this resolves. The caller invalidates the
   * caches, also when `retired` is true.
   */
  refresh(presented: PresentedRefresh): Promise<Refreshed>;
}

const insertCode = write<[Buffer, number, string, string | null, string | null, number, number]>(
  'INSERT INTO oauth_codes (code_hash, grant_id, redirect_uri, code_challenge, nonce, signed_in_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
);
// The grant first: what ends it, and each of its codes and tokens, waits for it.
const codeByHash = read<[Buffer], CodeRow>(
  `SELECT code.*, application_id, user_id, scopes, oauth_grants.expires_at AS grant_expires_at, revoked_at AS grant_revoked_at, state AS user_state
   FROM oauth_codes AS code JOIN oauth_grants ON oauth_grants.id = grant_id JOIN users ON users.id = user_id WHERE code_hash = ? ${lockingRowsOf('oauth_grants', 'code')}`,
);
const useCode = write<[number, Buffer]>('UPDATE oauth_codes SET used_at = ? WHERE code_hash = ?');
const tokenByRefresh = read<[Buffer], RefreshRow>(
  `SELECT token.id, grant_id, application_id, user_id, token.scopes, previous_id, refresh_expires_at, first_used_at, refreshed_at, token.revoked_at,
     oauth_grants.expires_at AS grant_expires_at, oauth_grants.revoked_at AS grant_revoked_at, state AS user_state
   FROM oauth_tokens AS token JOIN oauth_grants ON oauth_grants.id = grant_id JOIN users ON users.id = user_id WHERE refresh_hash = ? ${lockingRowsOf('oauth_grants', 'token')}`,
);
const recordRefresh = write<[number, number, number]>(
  'UPDATE oauth_tokens SET refreshed_at = ?, first_used_at = coalesce(first_used_at, ?) WHERE id = ?',
);
const retire = write<[number, number]>('UPDATE oauth_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
const endGrant = {
  replay: write<[number, number, number]>(endGrants('replay', 'id = ?')),
  reuse: write<[number, number, number]>(endGrants('reuse', 'id = ?')),
};

/** Codes and tokens; only the SHA-256 of each secret is stored. */
export function tokenIssues(database: Database): TokenIssues {
  // Audit rows are part of the transaction that issues: one wait for the disk, and never one
  // without the other.
  function* auditIssue(
    userId: number,
    grantId: number,
    kind: string,
    scopes: string,
    applicationId: number | null,
    address: string | null,
  ): Transaction<void> {
    yield* recordAudit({
      userId,
      action: 'oauth.issue',
      subject: `grant:${grantId}`,
      detail: `${kind}, ${scopes}`,
      applicationId,
      address,
    });
  }

  const refreshEnd = (now: number, grantEnd: number) => Math.min(now + lifetimes.refreshIdle, grantEnd);

  function* issueDirectlyNow(request: DirectIssue): Transaction<Issued | null> {
    const now = Date.now();
    const applicationId = request.application?.id ?? null;
    const scopes = request.scopes.join(' ');
    const end = now + (request.refreshable ? lifetimes.grant : lifetimes.accessToken);
    const grantId = yield* addGrant(request.kind, applicationId, request.userId, scopes, now, end);
    if (grantId === null) return null;
    yield* auditIssue(request.userId, grantId, request.kind, scopes, applicationId, request.address);
    return {
      token: yield* addToken(grantId, scopes, now, request.refreshable ? refreshEnd(now, end) : null, null),
      grantId,
      userId: request.userId,
    };
  }

  function* exchangeNow(presented: PresentedCode): Transaction<Exchanged> {
    const now = Date.now();
    const codeHash = secretDigest(presented.code);
    const row = yield* one(codeByHash, codeHash);
    const why = checkCode(row, presented, now);
    if (!row || why !== null) {
      if (row && why === 'replayed') yield* run(endGrant.replay, now, now, row.grant_id);
      return { ok: false, why: why ?? 'unknown', grantId: row?.grant_id ?? null, userId: row?.user_id ?? null };
    }
    yield* run(useCode, now, codeHash);
    yield* auditIssue(row.user_id, row.grant_id, 'code', row.scopes, row.application_id, presented.address);
    const token = yield* addToken(row.grant_id, row.scopes, now, refreshEnd(now, row.grant_expires_at), null);
    return {
      ok: true,
      token,
      grantId: row.grant_id,
      userId: row.user_id,
      nonce: row.nonce,
      signedInAt: row.signed_in_at,
    };
  }

  function* refreshNow(presented: PresentedRefresh): Transaction<Refreshed> {
    const now = Date.now();
    const row = yield* one(tokenByRefresh, secretDigest(presented.refreshToken));
    const why = checkRefresh(row, presented, now);
    if (!row || why !== null) {
      if (row && why === 'reused') yield* run(endGrant.reuse, now, now, row.grant_id);
      return { ok: false, why: why ?? 'unknown', grantId: row?.grant_id ?? null, userId: row?.user_id ?? null };
    }
    // A client that refreshes with a token has received it, so the previous token is no longer
    // needed.
    const retired =
      row.first_used_at === null && row.previous_id !== null && (yield* run(retire, now, row.previous_id)) > 0;
    if (row.refreshed_at === null) yield* run(recordRefresh, now, now, row.id);
    const scopes = presented.scopes === null ? row.scopes : [...new Set(presented.scopes)].join(' ');
    const token = yield* addToken(row.grant_id, scopes, now, refreshEnd(now, row.grant_expires_at), row.id);
    return { ok: true, token, grantId: row.grant_id, userId: row.user_id, retired };
  }

  return {
    issueCode: async (approval) =>
      database.grouped(function* () {
        const now = Date.now();
        const grantId = yield* addGrant(
          'code',
          approval.application.id,
          approval.userId,
          approval.scopes.join(' '),
          now,
          now + lifetimes.grant,
        );
        if (grantId === null) throw gone();
        const code = newSecret();
        const { redirectUri, codeChallenge, nonce, signedInAt } = approval;
        yield* run(
          insertCode,
          secretDigest(code),
          grantId,
          redirectUri,
          codeChallenge,
          nonce,
          signedInAt,
          now + lifetimes.code,
        );
        return code;
      }),
    issueImplicit: async ({ application, userId, scopes }) => {
      const request: DirectIssue = { kind: 'implicit', application, userId, scopes, refreshable: false, address: null };
      const issued = await database.grouped(() => issueDirectlyNow(request));
      if (!issued) throw gone();
      return issued.token;
    },
    issueDirectly: async (request) => database.grouped(() => issueDirectlyNow(request)),
    issueDirectlyNow,
    exchangeCode: async (presented) => database.locking(() => exchangeNow(presented)),
    refresh: async (presented) => database.locking(() => refreshNow(presented)),
  };
}

function gone(): HttpProblem {
  return new HttpProblem(409, 'The application or the account was removed meanwhile. Start again.', { type: 'gone' });
}
