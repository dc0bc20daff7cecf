import type { MeasurementSort } from '../requests/types.ts';

/** Filters and order of a list of measurements. */
export interface ListQuery {
  /** Only measurements with files that are not as registered. */
  readonly problems?: boolean;
  readonly search: string;
  readonly sort: MeasurementSort;
  readonly order: 'asc' | 'desc';
}
