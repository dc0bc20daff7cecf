import type { GitlabApplication, OAuthApplication } from '../../contract/applications.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { Application } from '../shared/types.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { OAuthStores } from '../store/stores.ts';

/** The API representation of an application, without its secret. */
export async function applicationShape(
  services: Pick<AccountStores, 'users'> & Pick<OAuthStores, 'oauth'>,
  application: Application,
): Promise<OAuthApplication> {
  const owner = await services.users.byId(application.ownerId);
  if (!owner) throw new Error(`application ${application.id} has no owner`);
  return {
    id: application.id,
    client_id: application.clientId,
    name: application.name,
    redirect_uris: [...application.redirectUris],
    scopes: [...application.scopes],
    confidential: application.confidential,
    device_grant: application.deviceGrant,
    trusted: application.trusted,
    legacy_implicit: application.legacyImplicit,
    owner: { id: owner.id, username: owner.username, name: owner.name },
    created_at: isoTime(application.createdAt),
    authorizations: await services.oauth.authorizationsCount(application.id),
  };
}

/** The representation of an application in GitLab's API. */
export function gitlabApplicationShape(application: Application): GitlabApplication {
  return {
    id: application.id,
    application_id: application.clientId,
    application_name: application.name,
    callback_url: application.redirectUris.join('\n'),
    confidential: application.confidential,
  };
}
