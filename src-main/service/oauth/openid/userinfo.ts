import type { UserInfo } from '../../contract/oauth.ts';
import type { Principal } from '../../http/principal.ts';
import { userClaims } from './user-claims.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { ProjectStores } from '../../projects/stores.ts';

/**
 * The userinfo response (OpenID Connect Core section 5.3); `groups` lists the user's projects, as
 * in GitLab.
 */
export async function userInfo(
  services: Pick<AccountStores, 'users'> & Pick<ProjectStores, 'projects'>,
  principal: Principal,
): Promise<UserInfo> {
  const user = await services.users.byId(principal.userId);
  if (!user) throw new Error('the principal has no user row');
  const projects = await services.projects.ofMember(user.id);
  return { ...userClaims(user, principal.scopes), groups: projects.map(({ path }) => path) };
}
