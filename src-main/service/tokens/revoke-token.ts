import type { Actor } from '../http/principal.ts';
import type { TokenRow } from './token-rows.ts';
import type { TokenStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = TokenStores & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

/**
 * Revokes a token, for the next request and for running transfers. Revoking again changes nothing.
 */
export async function revokeToken(services: Deps, row: TokenRow, by: Actor): Promise<void> {
  if (!(await services.tokens.revoke(row.id))) return;
  services.changes.bump();
  await services.audit.record({
    ...by,
    action: 'token.revoke',
    subject: `token:${row.id}`,
    detail: `of user:${row.user_id}`,
  });
  services.events.emit('changed', { topic: 'tokens', id: String(row.id) });
}
