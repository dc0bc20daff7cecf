import type { ListQuery } from '../../../api/queries/list-query.ts';
import type { MeasurementSort } from '../../../api/requests/types.ts';

const sorts = [
  'created_at',
  'id',
  'title',
  'total_bytes',
  'file_count',
  'state',
] as const satisfies readonly MeasurementSort[];

/** Search parameters of the list: search and order, and the file that is looked into. */
export interface ListSearch {
  readonly search?: string;
  readonly sort?: MeasurementSort;
  readonly order?: 'asc' | 'desc';
  /** Only measurements with files that are not as registered. */
  readonly problems?: true;
  /** Index of the file of the open measurement that is looked into. */
  readonly file?: number;
}

/** Keeps only valid parameters. */
export function readListSearch(raw: Record<string, unknown>): ListSearch {
  const sort = sorts.find((name) => name === raw['sort']);
  const order = raw['order'] === 'asc' || raw['order'] === 'desc' ? raw['order'] : undefined;
  const search =
    typeof raw['search'] === 'string' || typeof raw['search'] === 'number' ? String(raw['search']).slice(0, 200) : '';
  const problems = raw['problems'] === true;
  const file =
    typeof raw['file'] === 'number' && Number.isSafeInteger(raw['file']) && raw['file'] >= 0 ? raw['file'] : null;
  return {
    ...(problems ? { problems } : {}),
    ...(file === null ? {} : { file }),
    ...(search === '' ? {} : { search }),
    ...(sort === undefined ? {} : { sort }),
    ...(order === undefined ? {} : { order }),
  };
}

/** The service's parameters for a search in the address. */
export function listQueryOf({ search = '', sort = 'created_at', order, problems }: ListSearch): ListQuery {
  return { problems: problems === true, search: search.trim(), sort, order: order ?? defaultOrder(sort) };
}

/** Names ascend; sizes, counts and times descend. */
function defaultOrder(sort: MeasurementSort): 'asc' | 'desc' {
  return sort === 'id' || sort === 'title' ? 'asc' : 'desc';
}

/** The order after a click on a column's head: a second click reverses it. */
export function nextOrder(list: ListQuery, sort: MeasurementSort): Required<Pick<ListSearch, 'sort' | 'order'>> {
  if (list.sort !== sort) return { sort, order: defaultOrder(sort) };
  return { sort, order: list.order === 'asc' ? 'desc' : 'asc' };
}
