import type { CopyFilter } from '../../api/requests/types.ts';

export const copyFilters: readonly { readonly value: CopyFilter; readonly word: string }[] = [
  { value: 'all', word: 'All' },
  { value: 'active', word: 'On their way' },
  { value: 'verified', word: 'Verified' },
  { value: 'failed', word: 'Failed' },
];

/** Parameters in the address of the Copies screen. */
export interface CopiesSearch {
  readonly filter?: Exclude<CopyFilter, 'all'>;
  /** Counted from 1. */
  readonly page?: number;
}

export function readCopiesSearch(search: Readonly<Record<string, unknown>>): CopiesSearch {
  const found = copyFilters.find(({ value }) => value === search['filter'])?.value ?? 'all';
  const page = Number(search['page']);
  return {
    ...(found === 'all' ? {} : { filter: found }),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  };
}
