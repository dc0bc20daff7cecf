/** What the address of the Applications screen may say. */
export interface ApplicationsSearch {
  /** Which tab; absent for one's own applications. */
  readonly tab?: 'authorized';
}

/** Reads the address; what it does not know it leaves out. */
export function readApplicationsSearch(search: Readonly<Record<string, unknown>>): ApplicationsSearch {
  return search['tab'] === 'authorized' ? { tab: 'authorized' } : {};
}
