import { Type, type Static } from 'typebox';
import { Day, Nullable, Timestamp } from './common.ts';
import { ScopeSchema } from './scopes.ts';

export const Username = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$', description: 'User name' });
export const Password = Type.String({ minLength: 8, maxLength: 128 });

/** GitLab's shape of `GET /api/v4/user`, as far as Benchport knows the fields. */
export const User = Type.Object(
  {
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    email: Nullable(Type.String()),
    state: Type.Enum(['active', 'blocked']),
    is_admin: Type.Boolean(),
    web_url: Type.String(),
    created_at: Timestamp,
  },
  { $id: 'User', title: 'User' },
);
export type User = Static<typeof User>;

/** Users and projects by name alone, for choosing whom to grant. */
export const UserName = Type.Object({ id: Type.Integer(), username: Type.String(), name: Type.String() }, { $id: 'UserName', title: 'UserName' });
export const ProjectName = Type.Object({ id: Type.Integer(), path: Type.String(), name: Type.String() }, { $id: 'ProjectName', title: 'ProjectName' });

/** GitLab's shape of a personal access token. `token` stands only in the answer that created it. */
export const PersonalAccessToken = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    revoked: Type.Boolean(),
    active: Type.Boolean(),
    scopes: Type.Array(Type.String()),
    user_id: Type.Integer(),
    created_at: Timestamp,
    last_used_at: Nullable(Timestamp),
    expires_at: Nullable(Day),
  },
  { $id: 'PersonalAccessToken', title: 'PersonalAccessToken' },
);
export type PersonalAccessToken = Static<typeof PersonalAccessToken>;

export const CreatedToken = Type.Object({ ...PersonalAccessToken.properties, token: Type.String() }, { $id: 'CreatedToken', title: 'CreatedToken' });
export type CreatedToken = Static<typeof CreatedToken>;

export const NewToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.Optional(Type.String({ maxLength: 1000 })),
    scopes: Type.Array(ScopeSchema, { minItems: 1, uniqueItems: true }),
    expires_at: Type.Optional(Nullable(Day)),
  },
  { additionalProperties: false },
);
export type NewToken = Static<typeof NewToken>;

/** Who the window or the browser is, and how it may write: `csrf_token` goes into `X-CSRF-Token`. */
export const Session = Type.Object(
  {
    user: Nullable(User),
    door: Type.Enum(['window', 'browser']),
    needs_setup: Type.Boolean({ description: 'No account exists yet: show the first run' }),
    suggested_username: Type.String(),
    csrf_token: Nullable(Type.String()),
  },
  { $id: 'Session', title: 'Session' },
);
export type Session = Static<typeof Session>;

/** First run: creates the account that owns this installation. Only through the window, or with the code printed at start. */
export const SetupRequest = Type.Object(
  {
    username: Username,
    name: Type.String({ minLength: 1, maxLength: 255 }),
    password: Type.Optional(Password),
  },
  { additionalProperties: false },
);
export type SetupRequest = Static<typeof SetupRequest>;
