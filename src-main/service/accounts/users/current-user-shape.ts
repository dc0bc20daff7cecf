import type { CurrentUser } from '../../contract/accounts.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { UserRow } from '../store/user-rows.ts';

/** The user of `GET /api/v4/user`, in GitLab's representation. */
export function currentUserShape(user: UserRow, twoFactors: boolean, baseUrl: string): CurrentUser {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    public_email: null,
    commit_email: user.email,
    state: user.state,
    locked: user.locked_until !== null && user.locked_until > Date.now(),
    avatar_url: null,
    web_url: `${baseUrl}/${user.username}`,
    created_at: isoTime(user.created_at),
    bio: '',
    location: '',
    skype: '',
    linkedin: '',
    twitter: '',
    discord: '',
    website_url: '',
    organization: '',
    job_title: '',
    pronouns: null,
    bot: false,
    work_information: null,
    local_time: null,
    followers: 0,
    following: 0,
    last_sign_in_at: isoTime(user.last_sign_in_at),
    confirmed_at: null,
    last_activity_on: null,
    theme_id: null,
    color_scheme_id: null,
    projects_limit: 0,
    current_sign_in_at: isoTime(user.current_sign_in_at),
    identities: [],
    can_create_group: false,
    can_create_project: false,
    two_factor_enabled: twoFactors,
    external: false,
    private_profile: false,
    ...(user.is_admin === 1 ? { is_admin: true, current_sign_in_ip: null, last_sign_in_ip: null } : {}),
  };
}
