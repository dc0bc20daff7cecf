/** What the address of the list of users says: which are shown. */
export interface UsersSearch {
  readonly search?: string;
  readonly state?: 'active' | 'blocked';
  readonly page?: number;
}

/** Takes what is sound of an address and leaves the rest out. */
export function readUsersSearch(search: Record<string, unknown>): UsersSearch {
  const { search: text, state, page } = search;
  return {
    // The router reads digits as a number.
    ...((typeof text === 'string' && text !== '') || typeof text === 'number' ? { search: String(text) } : {}),
    ...(state === 'active' || state === 'blocked' ? { state } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
