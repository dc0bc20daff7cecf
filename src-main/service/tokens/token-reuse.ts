import type { Actor } from '../http/principal.ts';
import type { TokenRow } from './tokens-store.ts';
import type { Events } from '../common/events.ts';
import type { ChangeCounter } from '../database/change-counter.ts';
import type { TokenStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';

type Deps = TokenStores & Pick<AuditStores, 'audit'> & { readonly events: Events; readonly changes: ChangeCounter };

/** Told of a credential that does not hold, by its digest, and of where it came from as far as that is known. */
export type ReuseWatch = (tokenHash: Buffer, address: string | null) => Promise<void>;

/**
 * Notices when a token is used that was rotated away: either it was stolen before, or the one that replaced it went to somebody else, so all that
 * descends from it ends (RFC 9700 section 4.14.2 says why, for refresh tokens). A token past its day tells nothing any more and ends nothing.
 */
export function tokenReuse(services: Deps): ReuseWatch {
  return async (tokenHash, address) => {
    const row = await services.tokens.byHash(tokenHash);
    if (!row || row.rotated_at === null || (row.expires_at !== null && row.expires_at <= Date.now())) return;
    await endFamily(services, row, { userId: null, address });
  };
}

/**
 * Revokes what is left of a token's family, with one row in the audit trail.
 *
 * @param by who rotated the dead token; nobody when it was used as a credential.
 */
export async function endFamily(services: Deps, row: TokenRow, by: Actor): Promise<void> {
  const ended = await services.tokens.revokeFamily(row.family_id);
  // Whoever goes on sending a dead token must not fill the audit trail.
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
