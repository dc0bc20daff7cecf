import type { TokenListQuery } from '../../api/queries/account-queries.ts';
import type { SortOrder } from '../../ui/lists/sorted-rows.ts';

export type TokenSort = 'name' | 'created' | 'used' | 'expires';

const sorts: readonly TokenSort[] = ['name', 'created', 'used', 'expires'];

/**
 * Search parameters of the list of all users' tokens, as in `/ui/tokens?user=bob&state=inactive`.
 */
export interface AllTokensSearch {
  readonly all?: true;
  /** Name or number of a user. */
  readonly user?: string;
  readonly search?: string;
  readonly state?: 'inactive';
  readonly sort?: TokenSort;
  readonly order?: 'asc' | 'desc';
  readonly page?: number;
}

/** Keeps only valid parameters; the router has parsed digits as a number. */
export function readAllTokensSearch(address: Readonly<Record<string, unknown>>): AllTokensSearch {
  const text = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const user = text(address['user']);
  if (user === '' && address['all'] !== true) return {};
  const { state, order, page } = address;
  const search = text(address['search']);
  const sort = sorts.find((one) => one === address['sort']);
  return {
    ...(user === '' ? { all: true } : { user }),
    ...(search === '' ? {} : { search }),
    ...(state === 'inactive' ? { state } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(order === 'asc' || order === 'desc' ? { order } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}

/** The sort order in the address: the newest first by default. */
export function orderOf({ sort = 'created', order }: AllTokensSearch): SortOrder<TokenSort> {
  return { by: sort, order: order ?? firstOrder(sort) };
}

/**
 * Direction of the first click on a head: from A to Z, the earliest end first, and the latest
 * creation or use first.
 */
export function firstOrder(sort: TokenSort): 'asc' | 'desc' {
  return sort === 'name' || sort === 'expires' ? 'asc' : 'desc';
}

/** The service's parameters. */
export function listQueryOf(address: AllTokensSearch): TokenListQuery {
  const { by, order } = orderOf(address);
  return {
    user: address.user ?? '',
    search: address.search ?? '',
    state: address.state ?? 'active',
    sort: `${by === 'used' ? 'last_used' : by}_${order}`,
    page: address.page ?? 1,
  };
}

/**
 * The user in the address: by name, but by number where the name is digits, because the service
 * takes digits for a number.
 */
export function userInAddress({ id, username }: { readonly id: number; readonly username: string }): string {
  return /^\d+$/.test(username) ? String(id) : username;
}
