import { Type, type Static } from 'typebox';
import { Password, User, Username } from './accounts.ts';
import { named, Nullable } from './common.ts';

/**
 * The user of the window or the browser, and the `csrf_token` to send as `X-CSRF-Token` with
 * writes.
 */
export const Session = named('Session', {
  user: Nullable(User),
  door: Type.Enum(['window', 'browser']),
  needs_setup: Type.Boolean({ description: 'No account exists yet: show the first run' }),
  suggested_username: Type.String(),
  csrf_token: Nullable(Type.String()),
});
export type Session = Static<typeof Session>;

/**
 * First run: creates the account that owns this installation. Only through the window, or with the
 * code printed at the start.
 */
export const SetupRequest = Type.Object(
  {
    username: Username,
    name: Type.String({ minLength: 1, maxLength: 255 }),
    password: Type.Optional(Password),
  },
  { additionalProperties: false },
);
export type SetupRequest = Static<typeof SetupRequest>;
