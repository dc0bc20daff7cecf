import { keepPreviousData } from '@tanstack/react-query';
import type { CaptureChoices, CaptureFilter, CaptureHistory, CaptureRule, CaptureRunPage } from '../requests/types.ts';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';

export const capturePageSize = 50;
const capturesPath = '/api/v4/local/captures';

export interface CaptureRunList {
  /** Null for the runs of all rules. */
  readonly rule: number | null;
  readonly filter: CaptureFilter;
  readonly search: string;
  /** Counted from 1. */
  readonly page: number;
}

/** Queries about watched folders; all are the window's. */
export function createCaptureQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    captures: () => readJson<CaptureRule[]>(['captures', 'rules'], capturesPath),
    /** Not among what events invalidate: presets change only with the program. */
    captureChoices: () => ({
      ...readJson<CaptureChoices>(['capture-choices'], `${capturesPath}/choices`),
      staleTime: Infinity,
    }),
    captureRuns: ({ rule, filter, search, page }: CaptureRunList) => ({
      ...readJson<CaptureRunPage>(['captures', 'runs', rule, filter, search, page], `${capturesPath}/runs`, {
        rule_id: rule,
        filter,
        search: search === '' ? null : search,
        offset: (page - 1) * capturePageSize,
        limit: capturePageSize,
      }),
      placeholderData: keepPreviousData,
    }),
    captureHistory: (run: number) =>
      readJson<CaptureHistory>(['captures', 'history', run], `${capturesPath}/runs/${run}/history`),
  };
}
