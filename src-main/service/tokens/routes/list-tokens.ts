import type { ListedToken, PersonalAccessToken, TokenListQuery } from '../../contract/accounts.ts';
import type { Total } from '../../database/totals.ts';
import { offsetOf } from '../../http/pagination.ts';
import { HttpProblem } from '../../common/problem.ts';
import { parseMoment } from '../../common/parse-time.ts';
import type { Principal } from '../../http/principal.ts';
import { credentialNeeded } from '../../http/read-credential.ts';
import type { TokenRow } from '../token-rows.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { TokenStores } from '../stores.ts';

type Deps = Pick<AccountStores, 'users'> & TokenStores;

/**
 * One page of the tokens that match a query: those of the caller, or for an administrator those of
 * any user.
 *
 * @throws HttpProblem 400 for an invalid time, 401 for the tokens of another user, 404 to an
 * administrator for an unknown user.
 */
export async function listTokens(
  services: Deps,
  query: TokenListQuery,
  principal: Principal,
  now: number,
): Promise<{ readonly rows: readonly TokenRow[]; readonly total: Total }> {
  const moment = (text: string | undefined) => (text === undefined ? undefined : parseMoment(text));
  const filter = {
    userId: await wantedUser(services, query.user_id, principal),
    search: query.search === '' ? undefined : query.search,
    active: query.state === undefined ? undefined : { is: query.state === 'active', at: now },
    revoked: query.revoked,
    createdAfter: moment(query.created_after),
    createdBefore: moment(query.created_before),
    expiresAfter: moment(query.expires_after),
    expiresBefore: moment(query.expires_before),
    lastUsedAfter: moment(query.last_used_after),
    lastUsedBefore: moment(query.last_used_before),
  };
  return services.tokens.list(filter, query.sort, query.per_page, offsetOf(query));
}

/** Adds the user names of the owners, each looked up once. */
export async function withOwners(
  services: Pick<AccountStores, 'users'>,
  tokens: readonly PersonalAccessToken[],
): Promise<ListedToken[]> {
  const owners = new Map<number, string>();
  for (const id of new Set(tokens.map((token) => token.user_id))) {
    const user = await services.users.byId(id);
    if (user) owners.set(id, user.username);
  }
  return tokens.map((token) => {
    const username = owners.get(token.user_id);
    return username === undefined ? token : { ...token, username };
  });
}

async function wantedUser(
  services: Deps,
  wanted: string | undefined,
  principal: Principal,
): Promise<number | undefined> {
  if (wanted === undefined) return principal.isAdmin ? undefined : principal.userId;
  const user = await (/^[0-9]{1,15}$/.test(wanted)
    ? services.users.byId(Number(wanted))
    : services.users.byUsername(wanted));
  if (user && (principal.isAdmin || user.id === principal.userId)) return user.id;
  throw principal.isAdmin ? new HttpProblem(404, 'There is no such user.') : credentialNeeded();
}
