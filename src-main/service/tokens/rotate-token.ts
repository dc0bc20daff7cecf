import { invalidRequest } from '../common/problem.ts';
import { endOfRotatedToken } from './expiry-day.ts';
import type { Actor } from '../http/principal.ts';
import { newPersonalAccessToken } from './token-format.ts';
import { secretDigest } from '../secrets/secret-digest.ts';
import { endFamily } from './token-reuse.ts';
import type { TokenRow } from './token-rows.ts';
import type { TokenStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = TokenStores & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

/**
 * Replaces a token by a new one with its name and scopes; the old one ends at once.
 *
 * @param expiresAt `YYYY-MM-DD`; null for a week.
 * @throws HttpProblem 400 for a token that is revoked already; if it was rotated before, its
 * replacement is revoked too.
 */
export async function rotateToken(
  services: Deps,
  row: TokenRow,
  expiresAt: string | null,
  by: Actor,
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const end = endOfRotatedToken(expiresAt, Date.now());
  const token = newPersonalAccessToken();
  const next = await services.tokens.rotate(row.id, { tokenHash: secretDigest(token), expiresAt: end });
  if (!next) {
    await endFamily(services, row, by);
    throw invalidRequest('This token is already revoked. Create a new one.');
  }
  services.changes.bump();
  await services.audit.record({
    ...by,
    action: 'token.rotate',
    subject: `token:${row.id}`,
    detail: `of user:${row.user_id}, replaced by token:${next.id}`,
  });
  services.events.emit('changed', { topic: 'tokens', id: String(next.id) });
  return { row: next, token };
}
