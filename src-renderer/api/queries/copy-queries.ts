import { keepPreviousData } from '@tanstack/react-query';
import type { CopyFilter, CopyPage, CopySettings, VerifiedCopy } from '../requests/types.ts';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';

export const copyPageSize = 50;
const copiesPath = '/api/v4/local/copies';

/** Queries about copies on other servers; all but the last are the window's. */
export function createCopyQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    /** @param page counted from 1. */
    copies: (filter: CopyFilter, page: number) => ({
      ...readJson<CopyPage>(['copies', 'list', filter, page], copiesPath, {
        filter,
        offset: (page - 1) * copyPageSize,
        limit: copyPageSize,
      }),
      placeholderData: keepPreviousData,
    }),
    copiesOf: (measurement: string) =>
      readJson<CopyPage>(['copies', 'of', measurement], copiesPath, { measurement_id: measurement, limit: 200 }),
    copySettings: () => readJson<CopySettings>(['copy-settings'], '/api/v4/local/copy-settings'),
    verifiedCopies: (measurement: string) =>
      readJson<VerifiedCopy[]>(
        ['copies', 'verified', measurement],
        `/api/v4/measurements/${encodeURIComponent(measurement)}/copies`,
      ),
  };
}
