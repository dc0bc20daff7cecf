import type { Database } from '../../database/port/database.ts';
import { inNumbers } from '../../database/port/dialect.ts';
import { read } from '../../database/port/query.ts';
import { textFinder } from '../../database/text-search.ts';
import type { Total } from '../../database/totals.ts';
import { walkList, type Place } from '../../database/walk-list.ts';
import type { FileOrder, FileOrdersStore } from './file-orders-store.ts';
import type { FileRow } from './files-store.ts';

export interface FileListQuery {
  readonly sort: FileOrder | 'index';
  readonly descending: boolean;
  /** Part of a path, case-insensitive; empty for all. */
  readonly search: string;
  /** Only files that are not as registered. */
  readonly problems: boolean;
  /** Last position of the previous page; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface FileListPage {
  readonly rows: readonly FileRow[];
  /** Last position examined; null at the end of the list. */
  readonly next: number | null;
  /** Set on the first page only. */
  readonly total: Total | null;
}

export interface FileListStore {
  /**
   * Returns a page of the files of a measurement; it may have fewer than `limit` rows although more
   * follow.
   */
  page(measurementId: string, query: FileListQuery): Promise<FileListPage>;
}

// Rows examined per page; a search continues with its next page.
const maxWalked = 100_000;

const rowsOf = read<[string, string], FileRow>(
  `SELECT * FROM measurement_files WHERE measurement_id = ? AND ${inNumbers('idx', '?')}`,
);
const paths = read<[string, string], { idx: number; path: string; state: FileRow['state'] }>(
  `SELECT idx, path, state FROM measurement_files WHERE measurement_id = ? AND ${inNumbers('idx', '?')}`,
);
const problemsBehind = read<[string, number, number], Place<number>>(
  `SELECT idx AS "key", idx AS id FROM measurement_files WHERE measurement_id = ? AND idx > ? AND state <> 'ok' ORDER BY idx LIMIT ?`,
);

/** Lists the files of measurements by index, path or size; searches walk the list in steps. */
export function fileListStore(database: Database, orders: FileOrdersStore): FileListStore {
  async function rowsAt(measurementId: string, indexes: readonly number[]): Promise<readonly FileRow[]> {
    const rows = new Map(
      (await database.all(rowsOf, measurementId, JSON.stringify(indexes))).map((row) => [row.idx, row]),
    );
    return indexes.flatMap((index) => rows.get(index) ?? []);
  }

  /**
   * Returns the file indexes at some positions of a list; a descending list reads the stored order
   * backwards.
   */
  async function indexesAt(
    measurementId: string,
    files: number,
    { sort, descending }: FileListQuery,
    from: number,
    count: number,
  ): Promise<readonly number[]> {
    const wanted = Math.min(count, files - from);
    if (wanted <= 0) return [];
    const first = descending ? files - from - wanted : from;
    const found =
      sort === 'index'
        ? Array.from({ length: wanted }, (_, at) => first + at)
        : await orders.indexesAt(measurementId, sort, first, wanted);
    return descending ? found.toReversed() : found;
  }

  async function walk(measurementId: string, files: number, query: FileListQuery): Promise<FileListPage> {
    const fits = textFinder(query.search);
    const page = await walkList<number>({
      steps: database.steps,
      places: async (after, size): Promise<readonly Place<number>[]> => {
        const from = Number(after?.key ?? -1) + 1;
        if (query.problems && query.sort === 'index' && !query.descending)
          return database.all(problemsBehind, measurementId, from - 1, size);
        const ids = await indexesAt(measurementId, files, query, from, size);
        return ids.map((id, at) => ({ key: from + at, id }));
      },
      fitting: async (ids) =>
        (await database.all(paths, measurementId, JSON.stringify(ids)))
          .filter(({ path, state }) => (!query.problems || state !== 'ok') && fits(path))
          .map(({ idx }) => idx),
      after: query.after < 0 ? null : { key: query.after, id: -1 },
      limit: query.limit,
      offset: 0,
      counts: query.after < 0,
      maxRows: maxWalked,
    });
    const indexes = page.places.map(({ id }) => id);
    return {
      rows: await rowsAt(measurementId, indexes),
      next: page.next === null ? null : Number(page.next.key),
      total: query.after < 0 ? page.total : null,
    };
  }

  return {
    page: async (measurementId, request) => {
      const { sort, search, problems, after, limit } = request;
      const query: FileListQuery =
        sort === 'index' || (await orders.make(measurementId, sort)) ? request : { ...request, sort: 'index' };
      const files = await orders.count(measurementId);
      if (search !== '' || problems) return walk(measurementId, files, query);
      const rows = await rowsAt(measurementId, await indexesAt(measurementId, files, query, after + 1, limit));
      const next = after + 1 + limit < files ? after + limit : null;
      return { rows, next, total: after < 0 ? { count: files, complete: true } : null };
    },
  };
}
