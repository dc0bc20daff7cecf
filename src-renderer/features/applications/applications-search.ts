/** Search parameters of the Applications screen. */
export interface ApplicationsSearch {
  /**
   * The tab; absent for the user's own applications. The list of all applications is for
   * administrators.
   */
  readonly tab?: 'all' | 'authorized';
}

/** Reads the address and ignores unknown parameters. */
export function readApplicationsSearch(search: Readonly<Record<string, unknown>>): ApplicationsSearch {
  const { tab } = search;
  return tab === 'authorized' || tab === 'all' ? { tab } : {};
}
