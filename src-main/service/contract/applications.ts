import { Type, type Static } from 'typebox';
import { UserName } from './accounts.ts';
import { named, Nullable, Timestamp } from './common.ts';
import { maxScopes, ScopeSchema } from './scopes.ts';

const RedirectUri = Type.String({ minLength: 1, maxLength: 2000 });
const applicationFields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  redirect_uris: Type.Array(RedirectUri, {
    maxItems: 50,
    description: 'Empty only for an application that uses nothing but the device grant',
  }),
  scopes: Type.Array(ScopeSchema, { minItems: 1, maxItems: maxScopes }),
  confidential: Type.Boolean({
    description: 'Whether it can keep a secret: a server can, a desktop or browser program cannot',
  }),
  device_grant: Type.Boolean({
    description: 'Whether it may sign in by a code that its user types into a browser (RFC 8628)',
  }),
};

/** A registered application, for the screens. The secret is only in the answer that created it. */
export const OAuthApplication = named('OAuthApplication', {
  id: Type.Integer(),
  client_id: Type.String(),
  ...applicationFields,
  scopes: Type.Array(Type.String()),
  trusted: Type.Boolean({ description: 'Approved without asking its users' }),
  legacy_implicit: Type.Boolean({ description: 'May use the implicit grant; set on the command line only' }),
  owner: UserName,
  created_at: Timestamp,
  authorizations: Type.Integer({ description: 'How many users have given it access that still holds' }),
});
export type OAuthApplication = Static<typeof OAuthApplication>;

export const CreatedApplication = named('CreatedApplication', {
  ...OAuthApplication.properties,
  client_secret: Nullable(Type.String({ description: 'Null for a public application' })),
});
export type CreatedApplication = Static<typeof CreatedApplication>;

export const NewApplication = Type.Object(
  {
    ...applicationFields,
    device_grant: Type.Optional(applicationFields.device_grant),
    trusted: Type.Optional(Type.Boolean({ description: 'Administrators only' })),
  },
  { additionalProperties: false },
);
export type NewApplication = Static<typeof NewApplication>;

/** `confidential` cannot change: deployed programs either have a secret or not. */
export const ApplicationChange = Type.Partial(
  Type.Object({
    name: applicationFields.name,
    redirect_uris: applicationFields.redirect_uris,
    scopes: applicationFields.scopes,
    device_grant: applicationFields.device_grant,
    trusted: Type.Boolean({ description: 'Administrators only' }),
  }),
  { additionalProperties: false },
);
export type ApplicationChange = Static<typeof ApplicationChange>;

export const RenewedSecret = named('RenewedSecret', { secret: Type.String() });
export type RenewedSecret = Static<typeof RenewedSecret>;

/**
 * A user's authorization of an application; `application` is null for tokens from the password
 * grant without one.
 */
export const AuthorizedApplication = named('AuthorizedApplication', {
  application: Nullable(
    Type.Object({ id: Type.Integer(), name: Type.String(), confidential: Type.Boolean(), owner: UserName }),
  ),
  scopes: Type.Array(Type.String()),
  authorized_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
export type AuthorizedApplication = Static<typeof AuthorizedApplication>;

/** GitLab's shape of `/api/v4/applications`. */
export const GitlabApplication = named('GitlabApplication', {
  id: Type.Integer(),
  application_id: Type.String(),
  application_name: Type.String(),
  callback_url: Type.String({ description: 'Redirect URIs, one a line' }),
  confidential: Type.Boolean(),
});
export type GitlabApplication = Static<typeof GitlabApplication>;

/** Settings of the installation for signing in; administrators only. */
export const SignInSettings = named('SignInSettings', {
  password_grant: Type.Boolean({ description: 'Whether the password grant works' }),
  development_redirects: Type.Boolean({ description: 'Whether redirect URIs may be plain http beyond the loopback' }),
});
export type SignInSettings = Static<typeof SignInSettings>;
