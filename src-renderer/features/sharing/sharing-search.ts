/** Search parameters of the Sharing screen: the tab, and filters of past transfers. */
export interface SharingSearch {
  /** Absent for running transfers. */
  readonly tab?: 'before';
  /** Whether single transfers replace downloads. */
  readonly view?: 'transfers';
  /** For the list of single transfers. */
  readonly search?: string;
  /** Counted from 1; absent for page 1. */
  readonly page?: number;
}

/** Keeps only valid parameters. */
export function readSharingSearch(search: Readonly<Record<string, unknown>>): SharingSearch {
  const { tab, page, view } = search;
  const text =
    typeof search['search'] === 'string' || typeof search['search'] === 'number' ? String(search['search']) : '';
  return {
    ...(tab === 'before' ? { tab } : {}),
    ...(view === 'transfers' || text !== '' ? { view: 'transfers' as const } : {}),
    ...(text === '' ? {} : { search: text }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
