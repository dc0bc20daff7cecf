import { Value } from 'typebox/value';
import { Username } from '../../contract/accounts.ts';
import { HttpProblem, invalidRequest } from '../../common/problem.ts';
import { requireReadable } from '../../http/server/require-readable.ts';
import type { Actor } from '../../http/principal.ts';
import { hasUnseen } from '../../common/unseen-characters.ts';
import { setOwner } from '../store/owner.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import type { NewUser } from '../store/users-store.ts';
import type { UserRow } from '../store/user-rows.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

export interface NewUserInput {
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly password: string | null;
  readonly isAdmin: boolean;
}

type Deps = Pick<AccountStores, 'users'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events' | 'passwords' | 'settings'>;

/**
 * Creates an account.
 *
 * @throws HttpProblem 400 for an invalid name, address or password, 409 when the name or address is
 * taken.
 */
export async function createUser(services: Deps, input: NewUserInput, by: Actor): Promise<UserRow> {
  await checkFields(services, input);
  const user = await services.users.create(await withHash(services, input));
  if (!user) throw taken(input);
  await record(services, user, by);
  return user;
}

/**
 * Creates the first account: an administrator, for whom the window acts.
 *
 * @throws HttpProblem 409 when an account exists, also when a concurrent request created it.
 */
export async function createFirstUser(services: Deps, input: NewUserInput): Promise<UserRow> {
  await checkFields(services, input);
  const user = await services.users.createFirst(await withHash(services, { ...input, isAdmin: true }));
  if (!user)
    throw new HttpProblem(409, 'This installation is already set up. Sign in instead.', { type: 'already-set-up' });
  await setOwner(services.settings, user.id);
  await record(services, user, { userId: user.id, address: null });
  return user;
}

/** @throws HttpProblem 400 when the text is not an e-mail address. */
export function requireEmail(email: string): void {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || hasUnseen(email)) throw invalidRequest(`${email} is not an e-mail address.`);
}

/** @throws HttpProblem 400 for an invalid name, address or password, 409 when the name or address is taken. */
export async function checkNewUser(services: Pick<Deps, 'users' | 'passwords'>, input: NewUserInput): Promise<void> {
  await checkFields(services, input);
  const { users } = services;
  if (await users.byUsername(input.username)) throw taken(input);
  if (input.email !== null && (await users.hasEmail(input.email, null))) throw taken(input);
}

async function checkFields(services: Pick<Deps, 'passwords'>, input: NewUserInput): Promise<void> {
  if (!Value.Check(Username, input.username)) {
    throw invalidRequest(
      'A user name has 1 to 255 letters, digits, dots, dashes and underscores, and begins with a letter, a digit or an underscore.',
    );
  }
  requireReadable('The name', input.name);
  if (input.email !== null) requireEmail(input.email);
  if (input.password !== null) await requireGoodPassword(services, input.password, input);
}

function taken({ username }: NewUserInput): HttpProblem {
  return new HttpProblem(409, `The user name ${username} or the e-mail address is already taken. Choose another one.`, {
    type: 'taken',
  });
}

async function withHash(services: Pick<Deps, 'passwords'>, input: NewUserInput): Promise<NewUser> {
  return {
    username: input.username,
    name: input.name,
    email: input.email,
    passwordHash: input.password === null ? null : await services.passwords.hash(input.password),
    isAdmin: input.isAdmin,
  };
}

async function record(services: Deps, user: UserRow, by: Actor): Promise<void> {
  services.changes.bump();
  await services.audit.record({
    ...by,
    action: 'user.create',
    subject: `user:${user.id}`,
    detail: `${user.username}${user.is_admin === 1 ? ', administrator' : ''}`,
  });
  services.events.emit('changed', { topic: 'users', id: String(user.id) });
}
