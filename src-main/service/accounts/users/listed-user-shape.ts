import type { ListedUser } from '../../contract/accounts.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { Principal } from '../../http/principal.ts';
import type { UserRow } from '../store/user-rows.ts';

/** A user as other users see it, in GitLab's representation; administrators see more fields. */
export function listedUserShape(user: UserRow, viewer: Pick<Principal, 'isAdmin'>, baseUrl: string): ListedUser {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    locked: user.locked_until !== null && user.locked_until > Date.now(),
    avatar_url: null,
    web_url: `${baseUrl}/${user.username}`,
    created_at: isoTime(user.created_at),
    ...(viewer.isAdmin ? { email: user.email, is_admin: user.is_admin === 1 } : {}),
  };
}
