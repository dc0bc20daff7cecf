import type { Actor } from '../http/principal.ts';
import type { TokenRow } from './token-rows.ts';
import type { TokenStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = TokenStores & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

/**
 * Called with the digest of a credential that is not valid, and the client's address if it is
 * known.
 */
export type ReuseWatch = (tokenHash: Buffer, address: string | null) => Promise<void>;

/**
 * Detects the use of a token that was rotated: either it was stolen before, or its replacement was
 * received by another client, so its whole family is revoked (RFC 9700 section 4.14.2 says why, for
 * refresh tokens). An expired token proves nothing and ends nothing.
 */
export function tokenReuse(services: Deps): ReuseWatch {
  return async (tokenHash, address) => {
    const row = await services.tokens.byHash(tokenHash);
    if (!row || row.rotated_at === null || (row.expires_at !== null && row.expires_at <= Date.now())) return;
    await endFamily(services, row, { userId: null, address });
  };
}

/**
 * Revokes the remaining tokens of a family, with one row in the audit trail.
 *
 * @param by the user who rotated the dead token; null when it was used as a credential.
 */
export async function endFamily(services: Deps, row: TokenRow, by: Actor): Promise<void> {
  const ended = await services.tokens.revokeFamily(row.family_id);
  // Repeated use of a dead token must not fill the audit trail.
  if (ended === 0) return;
  services.changes.bump();
  await services.audit.record({
    ...by,
    action: 'token.reuse',
    subject: `token:${row.id}`,
    detail: `of user:${row.user_id}: it had been replaced; what replaced it is revoked`,
  });
  services.events.emit('changed', { topic: 'tokens', id: String(row.id) });
}
