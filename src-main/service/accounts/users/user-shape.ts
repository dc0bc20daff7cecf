import type { User } from '../../contract/accounts.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { UserRow } from '../store/user-rows.ts';

/** A user in GitLab's representation. */
export function userShape(user: UserRow, baseUrl: string): User {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    state: user.state,
    is_admin: user.is_admin === 1,
    web_url: `${baseUrl}/${user.username}`,
    created_at: isoTime(user.created_at),
  };
}
