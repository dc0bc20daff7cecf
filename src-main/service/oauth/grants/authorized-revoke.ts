import type { Actor } from '../../http/principal.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<OAuthStores, 'oauth'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>;

/**
 * Revokes all grants of a user for an application, or those of the password grant without an
 * application (null). Running transfers end too.
 *
 * @returns whether there was a grant to revoke.
 */
export async function revokeAuthorization(
  services: Deps,
  userId: number,
  applicationId: number | null,
  by: Actor,
): Promise<boolean> {
  const ended = await services.oauth.revokeOfUserAndApplication(userId, applicationId);
  if (ended === 0) return false;
  services.changes.bump();
  const subject = applicationId === null ? `user:${userId}` : `application:${applicationId}`;
  await services.audit.record({
    ...by,
    action: 'oauth.revoke',
    subject,
    detail: `of user:${userId}, grants ended: ${ended}`,
    applicationId,
  });
  services.events.emit('changed', { topic: 'applications' });
  return true;
}
