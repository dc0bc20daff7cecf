import type { FastifyRequest } from 'fastify';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { authenticateClient, type Clients } from '../clients/authenticate-client.ts';
import { invalidClient, oauthError } from '../shared/oauth-error.ts';
import { readParameters, required } from '../clients/oauth-parameters.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

/**
 * Token revocation (RFC 7009): ends the grant of a token, given either half and whatever the hint.
 * An unknown token counts as revoked. Tokens of the password grant without an application need no
 * client authentication: possession suffices.
 *
 * @throws HttpProblem 401 invalid_client, 403 unauthorized_client for another client's token, 400
 * invalid_request.
 */
export async function revokePresentedToken(
  deps: Pick<OAuthStores, 'oauth'> &
    Pick<AuditStores, 'audit'> &
    Pick<ServiceContext, 'changes' | 'events'> & {
      readonly clients: Clients;
    },
  request: FastifyRequest,
): Promise<void> {
  const parameters = readParameters(request);
  const application = await authenticateClient(deps, request.raw, parameters, request.ip);
  const found = await deps.oauth.anyToken(secretDigest(required(parameters, 'token')));
  if (!application && found?.application_id !== null) throw invalidClient(false);
  if (!found) return;
  if (found.application_id !== null && found.application_id !== application?.id) {
    throw oauthError('unauthorized_client', 'The token belongs to another client.', 403);
  }
  if (!(await deps.oauth.revokeGrant(found.grant_id))) return;
  deps.changes.bump();
  await deps.audit.record({
    userId: found.user_id,
    action: 'oauth.revoke',
    subject: `grant:${found.grant_id}`,
    detail: 'by the client',
    applicationId: found.application_id,
    address: request.ip,
  });
  deps.events.emit('changed', { topic: 'applications' });
}
