import { Type, type Static } from 'typebox';
import { named, Nullable } from './common.ts';

const Text = Type.Optional(Type.String());

/**
 * Answer of the token endpoint. The password grant without an application omits `refresh_token` and
 * `created_at`.
 */
export const OAuthToken = named('OAuthToken', {
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Lifetime in seconds' }),
  refresh_token: Text,
  scope: Type.String({ description: 'Granted scopes, separated by spaces' }),
  created_at: Type.Optional(Type.Integer({ description: 'Unix timestamp' })),
  id_token: Type.Optional(Type.String({ description: 'With the scope openid, except for refreshes' })),
});

/** Errors of the OAuth endpoints. */
export const OAuthFailure = named('OAuthFailure', { error: Type.String(), error_description: Type.String() });

/** Members of a token request; `grant_type` decides which are required. */
export const TokenRequest = Type.Object({
  grant_type: Type.Enum([
    'authorization_code',
    'refresh_token',
    'password',
    'urn:ietf:params:oauth:grant-type:device_code',
  ]),
  client_id: Text,
  client_secret: Text,
  code: Text,
  redirect_uri: Text,
  code_verifier: Text,
  refresh_token: Text,
  scope: Text,
  username: Text,
  password: Text,
  device_code: Text,
});

/** The body of a revocation or an introspection. */
export const TokenQuestion = Type.Object({
  token: Type.String(),
  token_type_hint: Text,
  client_id: Text,
  client_secret: Text,
});

export const TokenInfo = named('TokenInfo', {
  resource_owner_id: Type.Integer(),
  scope: Type.Array(Type.String()),
  expires_in: Nullable(Type.Integer({ description: 'Remaining seconds; null when the token does not expire' })),
  application: Type.Object({
    uid: Nullable(Type.String({ description: 'Null for a token without an application' })),
  }),
  created_at: Type.Integer({ description: 'Unix timestamp' }),
  scopes: Type.Array(Type.String(), { deprecated: true }),
  expires_in_seconds: Nullable(Type.Integer({ deprecated: true })),
});
export type TokenInfo = Static<typeof TokenInfo>;

/** RFC 7662 section 2.2. */
export const TokenIntrospection = named('TokenIntrospection', {
  active: Type.Boolean(),
  scope: Text,
  client_id: Text,
  username: Text,
  token_type: Text,
  exp: Type.Optional(Type.Integer()),
  iat: Type.Optional(Type.Integer()),
  sub: Text,
});
export type TokenIntrospection = Static<typeof TokenIntrospection>;

/** RFC 8628 section 3.2. */
export const DeviceAuthorization = named('DeviceAuthorization', {
  device_code: Type.String(),
  user_code: Type.String(),
  verification_uri: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: Type.Integer(),
  interval: Type.Integer(),
});
export type DeviceAuthorization = Static<typeof DeviceAuthorization>;

/** OpenID Connect Core section 5.3. */
export const UserInfo = named('UserInfo', {
  sub: Type.String(),
  nickname: Type.String(),
  preferred_username: Type.String(),
  name: Type.Optional(Type.String({ description: 'With the scope profile' })),
  email: Type.Optional(Type.String({ description: 'With the scope email' })),
  email_verified: Type.Optional(Type.Boolean()),
  groups: Type.Array(Type.String(), { description: 'Paths of the projects that the user is a member of' }),
});
export type UserInfo = Static<typeof UserInfo>;

/** RFC 6749 section 4.1.1, RFC 7636 section 4.3, OpenID Connect Core section 3.1.2.1. */
export const AuthorizationRequest = named('AuthorizationRequest', {
  client_id: Type.String({ description: 'Of a registered application' }),
  redirect_uri: Type.String({
    description: 'One of those registered, as the same text; on the loopback with any port',
  }),
  response_type: Type.String({
    description: '`code`; `token` for applications that may still use the implicit grant',
  }),
  scope: Type.Optional(Type.String({ description: 'Separated by spaces' })),
  state: Type.Optional(Type.String({ description: 'Comes back as it is; at most 4096 bytes' })),
  code_challenge: Type.Optional(
    Type.String({ description: 'Base64url of the SHA-256 of the verifier; public applications need one' }),
  ),
  code_challenge_method: Type.Optional(Type.String({ description: '`S256`' })),
  response_mode: Type.Optional(
    Type.String({ description: '`query`, `fragment` or `form_post`, as fits the response type' }),
  ),
  nonce: Type.Optional(Type.String({ description: 'Stands in the id_token' })),
  prompt: Type.Optional(Type.String({ description: '`none`, or any of `login`, `consent` and `select_account`' })),
  max_age: Type.Optional(Type.String({ description: 'Seconds after which a sign-in is too old' })),
  id_token_hint: Type.Optional(Type.String({ description: 'An id_token of the user who is expected' })),
});
