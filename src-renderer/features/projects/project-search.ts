/** Search parameters of a project's settings. */
export interface ProjectSearch {
  /** Which tab; absent for Monitor, which is what other screens and addresses lead to. */
  readonly tab?: 'general' | 'members';
}

/** Reads the address and ignores unknown parameters. */
export function readProjectSearch(search: Readonly<Record<string, unknown>>): ProjectSearch {
  const { tab } = search;
  return tab === 'general' || tab === 'members' ? { tab } : {};
}
