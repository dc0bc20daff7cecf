import { Type, type Static } from 'typebox';
import { Day, named, Nullable, PageQuery, Timestamp } from './common.ts';
import { maxScopes, ScopeSchema } from './scopes.ts';

export const Username = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$', description: 'User name' });
export const Password = Type.String({ minLength: 8, maxLength: 128 });

/** An account, for the screens. */
export const User = named('User', {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  email: Nullable(Type.String()),
  state: Type.Enum(['active', 'blocked']),
  is_admin: Type.Boolean(),
  web_url: Type.String(),
  created_at: Timestamp,
});
export type User = Static<typeof User>;

/** A user in GitLab's list of users, and by number. */
export const ListedUser = named('ListedUser', {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  state: Type.Enum(['active', 'blocked']),
  locked: Type.Boolean({ description: 'Locked for a while after wrong passwords' }),
  avatar_url: Type.Null(),
  web_url: Type.String(),
  created_at: Timestamp,
  email: Type.Optional(Nullable(Type.String({ description: 'For administrators' }))),
  is_admin: Type.Optional(Type.Boolean({ description: 'For administrators' })),
});
export type ListedUser = Static<typeof ListedUser>;

/**
 * GitLab's shape of `GET /api/v4/user`, complete: programs made for GitLab read these members.
 * Facts that Benchport does not store are null, empty or false, as for a GitLab user who never
 * filled them in.
 */
export const CurrentUser = named('CurrentUser', {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  email: Nullable(Type.String()),
  public_email: Type.Null(),
  commit_email: Nullable(Type.String()),
  state: Type.Enum(['active', 'blocked']),
  locked: Type.Boolean({ description: 'Locked for a while after wrong passwords' }),
  avatar_url: Type.Null(),
  web_url: Type.String(),
  created_at: Timestamp,
  bio: Type.String(),
  location: Type.String(),
  skype: Type.String(),
  linkedin: Type.String(),
  twitter: Type.String(),
  discord: Type.String(),
  website_url: Type.String(),
  organization: Type.String(),
  job_title: Type.String(),
  pronouns: Type.Null(),
  bot: Type.Boolean(),
  work_information: Type.Null(),
  local_time: Type.Null(),
  followers: Type.Integer(),
  following: Type.Integer(),
  last_sign_in_at: Nullable(Timestamp),
  confirmed_at: Type.Null({ description: 'Addresses are not confirmed here' }),
  last_activity_on: Type.Null(),
  theme_id: Type.Null(),
  color_scheme_id: Type.Null(),
  projects_limit: Type.Integer(),
  current_sign_in_at: Nullable(Timestamp),
  identities: Type.Array(Type.Object({ provider: Type.String(), extern_uid: Type.String() })),
  can_create_group: Type.Boolean(),
  can_create_project: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  external: Type.Boolean(),
  private_profile: Type.Boolean(),
  is_admin: Type.Optional(Type.Boolean({ description: 'To administrators only, as the two that follow' })),
  current_sign_in_ip: Type.Optional(Type.Null()),
  last_sign_in_ip: Type.Optional(Type.Null()),
});
export type CurrentUser = Static<typeof CurrentUser>;

/** Only the names of users and projects, for choosing whom to grant access. */
export const UserName = named('UserName', { id: Type.Integer(), username: Type.String(), name: Type.String() });
export const ProjectName = named('ProjectName', {
  id: Type.Integer(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  name: Type.String(),
});

/** GitLab's shape of a personal access token. `token` is only in the answer that created it. */
export const PersonalAccessToken = named('PersonalAccessToken', {
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  revoked: Type.Boolean(),
  active: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  user_id: Type.Integer(),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  last_used_ips: Type.Array(Type.String(), {
    description: 'Where it was last used from, the newest first, at most five',
  }),
  expires_at: Nullable(Day),
});
export type PersonalAccessToken = Static<typeof PersonalAccessToken>;

/** A token in a list; GitLab gives only the number of its owner. */
export const ListedToken = named('ListedToken', {
  ...PersonalAccessToken.properties,
  username: Type.Optional(Type.String({ description: 'User name of the owner; for administrators only' })),
});
export type ListedToken = Static<typeof ListedToken>;

export const CreatedToken = named('CreatedToken', { ...PersonalAccessToken.properties, token: Type.String() });
export type CreatedToken = Static<typeof CreatedToken>;

export const NewToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    scopes: Type.Array(ScopeSchema, { minItems: 1, maxItems: maxScopes }),
    expires_at: Type.Optional(Nullable(Day)),
  },
  { additionalProperties: false },
);
export type NewToken = Static<typeof NewToken>;

/** Missing members are equal to an empty body; a week is the default, as in GitLab. */
export const TokenRotation = Type.Object({ expires_at: Type.Optional(Nullable(Day)) }, { additionalProperties: false });

const Moment = Type.Optional(
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]+(Z|[+-]\\d{2}:\\d{2})?)?$',
    description: 'ISO 8601, a day or a time',
  }),
);

/** GitLab's filters of the list of personal access tokens. */
export const TokenListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.String({ maxLength: 200, default: '', description: 'Part of the name' }),
  state: Type.Optional(Type.Enum(['active', 'inactive'])),
  revoked: Type.Optional(Type.Boolean()),
  user_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Number or name of a user; another one than the caller for administrators',
    }),
  ),
  created_after: Moment,
  created_before: Moment,
  expires_after: Moment,
  expires_before: Moment,
  last_used_after: Moment,
  last_used_before: Moment,
  sort: Type.Enum(
    [
      'created_asc',
      'created_desc',
      'expires_asc',
      'expires_desc',
      'last_used_asc',
      'last_used_desc',
      'name_asc',
      'name_desc',
    ],
    {
      default: 'created_desc',
    },
  ),
});
export type TokenListQuery = Static<typeof TokenListQuery>;

/** GitLab's shape of the reach of a token. There are no groups here. */
export const TokenAssociations = named('TokenAssociations', {
  groups: Type.Array(Type.Object({})),
  projects: Type.Array(
    Type.Object({
      id: Type.Integer(),
      description: Type.Null(),
      name: Type.String(),
      name_with_namespace: Type.String(),
      path: Type.String(),
      path_with_namespace: Type.String(),
      created_at: Timestamp,
      access_levels: Type.Object({ project_access_level: Type.Integer(), group_access_level: Type.Null() }),
      visibility: Type.Literal('private'),
      web_url: Type.String(),
    }),
  ),
});
export type TokenAssociations = Static<typeof TokenAssociations>;
