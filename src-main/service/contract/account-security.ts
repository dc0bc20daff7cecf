import { Type, type Static } from 'typebox';
import { Password, User, Username } from './accounts.ts';
import { named, Nullable, Timestamp } from './common.ts';

export const WebauthnKey = named('WebauthnKey', {
  id: Type.Integer(),
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
export type WebauthnKey = Static<typeof WebauthnKey>;

export const NewWebauthnKey = Type.Object(
  {
    name: Type.String({ maxLength: 100 }),
    response: Type.Object(
      {},
      { additionalProperties: true, description: "The browser's answer (RegistrationResponseJSON)" },
    ),
  },
  { additionalProperties: false },
);

/** The caller's own account, for its screen. */
export const Account = named('Account', {
  user: User,
  has_password: Type.Boolean(),
  totp: Type.Boolean({ description: 'Whether a code of an authenticator is needed at sign-in' }),
  recovery_codes_left: Type.Integer(),
  webauthn_keys: Type.Array(WebauthnKey),
  webauthn_unavailable: Nullable(
    Type.String({ description: 'Why security keys cannot be used at this address; null when they can' }),
  ),
  confirmed_until: Nullable(Timestamp),
});
export type Account = Static<typeof Account>;

/**
 * A repeated proof of identity; sensitive changes need one within the last 15 minutes (403 problem
 * `confirmation-needed`).
 */
export const Confirmation = Type.Object(
  {
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    code: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Of the authenticator, or a recovery code' }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of them' },
);
export type Confirmation = Static<typeof Confirmation>;

export const PasswordChange = Type.Object(
  {
    current_password: Type.Optional(
      Type.String({ maxLength: 128, description: 'Not needed in the window, nor for an account without a password' }),
    ),
    new_password: Password,
    revoke_tokens: Type.Boolean({
      description: 'Also end all personal access tokens and what applications were given',
    }),
  },
  { additionalProperties: false },
);
export type PasswordChange = Static<typeof PasswordChange>;

/** A new authenticator key, before its first code has confirmed it. */
export const NewTotpKey = named('NewTotpKey', {
  secret: Type.String({ description: 'Base32' }),
  uri: Type.String({ description: 'otpauth:// for the QR code' }),
});
export type NewTotpKey = Static<typeof NewTotpKey>;

export const TotpCode = Type.Object({ code: Type.String({ maxLength: 32 }) }, { additionalProperties: false });

export const RecoveryCodes = named('RecoveryCodes', { recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** A session of the caller in a browser. */
export const SignedInSession = named('SignedInSession', {
  id: Type.Integer(),
  current: Type.Boolean(),
  address: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
});
export type SignedInSession = Static<typeof SignedInSession>;

/** An account in the form for administrators. */
export const ManagedUser = named('ManagedUser', {
  ...User.properties,
  has_password: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  locked_until: Nullable(Timestamp),
  locked_where: Nullable(
    Type.Enum(['one-place', 'new-places'], {
      description: 'After too many failures: in one network or browser, or wherever its user has not signed in before',
    }),
  ),
  last_sign_in_at: Nullable(Timestamp),
  owner: Type.Boolean({ description: 'The account that the desktop window acts for' }),
});
export type ManagedUser = Static<typeof ManagedUser>;

export const NewManagedUser = Type.Object(
  {
    username: Username,
    name: Type.String({ minLength: 1, maxLength: 255 }),
    email: Type.Optional(Nullable(Type.String({ maxLength: 320 }))),
    password: Type.Optional(Password),
    admin: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type NewManagedUser = Static<typeof NewManagedUser>;

export const ManagedUserSort = Type.Enum(['username', 'state', 'created_at', 'last_sign_in_at']);
export type ManagedUserSort = Static<typeof ManagedUserSort>;

export const ManagedUserChange = Type.Partial(
  Type.Object({
    name: NewManagedUser.properties.name,
    email: Nullable(Type.String({ maxLength: 320 })),
    password: Password,
    admin: Type.Boolean(),
  }),
  { additionalProperties: false },
);
export type ManagedUserChange = Static<typeof ManagedUserChange>;

/** A row of the audit trail. */
export const AuditEvent = named('AuditEvent', {
  id: Type.Integer(),
  at: Timestamp,
  user: Nullable(Type.String({ description: 'User name of who acted' })),
  application: Nullable(Type.String({ description: 'The OAuth application that acted, or that it was about' })),
  action: Type.String(),
  subject: Type.String(),
  subject_now: Nullable(
    Type.Object(
      { name: Type.String(), owner: Nullable(Type.String()), active: Type.Boolean() },
      {
        description:
          'Users, tokens, applications, measurements and projects that still exist, with their current names',
      },
    ),
  ),
  detail: Nullable(Type.String()),
  address: Nullable(Type.String()),
});
export type AuditEvent = Static<typeof AuditEvent>;
