import type { MeasurementSort } from '../requests/types.ts';

/** What a list of measurements shows, and in which order. */
export interface ListQuery {
  /** Only measurements with files that are not as registered. */
  readonly problems?: boolean;
  readonly search: string;
  readonly sort: MeasurementSort;
  readonly order: 'asc' | 'desc';
}
