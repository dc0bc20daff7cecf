import type { ManagedUserSort } from '../../api/requests/types.ts';
import type { SortOrder } from '../../ui/lists/sorted-rows.ts';

const sorts: readonly ManagedUserSort[] = ['username', 'state', 'created_at', 'last_sign_in_at'];

/** Search parameters of the list of users: filters and order. */
export interface UsersSearch {
  readonly search?: string;
  readonly state?: 'active' | 'blocked';
  readonly sort?: ManagedUserSort;
  readonly order?: 'asc' | 'desc';
  readonly page?: number;
}

/** The sort order in the address: by user name by default. */
export function orderOf({ sort = 'username', order = 'asc' }: UsersSearch): SortOrder<ManagedUserSort> {
  return { by: sort, order };
}

/** Direction of the first click on a head: the newest first, but texts from A to Z. */
export function firstOrder(sort: ManagedUserSort): 'asc' | 'desc' {
  return sort === 'created_at' || sort === 'last_sign_in_at' ? 'desc' : 'asc';
}

/** Keeps only valid parameters. */
export function readUsersSearch(search: Record<string, unknown>): UsersSearch {
  const { search: text, state, sort, order, page } = search;
  const sorted = sorts.find((one) => one === sort);
  return {
    // The router parses digits as a number.
    ...((typeof text === 'string' && text !== '') || typeof text === 'number' ? { search: String(text) } : {}),
    ...(state === 'active' || state === 'blocked' ? { state } : {}),
    ...(sorted === undefined ? {} : { sort: sorted }),
    ...(order === 'asc' || order === 'desc' ? { order } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
