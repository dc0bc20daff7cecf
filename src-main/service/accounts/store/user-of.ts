import type { FastifyRequest } from 'fastify';
import { principalOf } from '../../http/authentication.ts';
import type { UserRow } from './user-rows.ts';
import type { AccountStores } from './stores.ts';

/** The account of the caller. */
export async function userOf(deps: Pick<AccountStores, 'users'>, request: FastifyRequest): Promise<UserRow> {
  const user = await deps.users.byId(principalOf(request).userId);
  if (!user) throw new Error('the principal has no user row');
  return user;
}
