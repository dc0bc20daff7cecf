/** Search parameters of the Applications screen. */
export interface ApplicationsSearch {
  /** Which tab; absent for one's own applications. Everybody's are for administrators. */
  readonly tab?: 'all' | 'authorized';
}

/** Reads the address; what it does not know it leaves out. */
export function readApplicationsSearch(search: Readonly<Record<string, unknown>>): ApplicationsSearch {
  const { tab } = search;
  return tab === 'authorized' || tab === 'all' ? { tab } : {};
}
