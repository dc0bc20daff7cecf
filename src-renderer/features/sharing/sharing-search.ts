/** What the address of the Sharing screen says: which tab, and which part of what was sent. */
export interface SharingSearch {
  /** Absent for what is now. */
  readonly tab?: 'before';
  /** Single transfers in place of downloads. */
  readonly view?: 'transfers';
  /** Of single transfers. */
  readonly search?: string;
  /** Counted from 1, which is left out. */
  readonly page?: number;
}

/** Takes what is sound of an address and leaves the rest out. */
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
