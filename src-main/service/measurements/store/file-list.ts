import type Database from 'better-sqlite3';
import { textFinder } from '../../database/text-search.ts';
import type { Total } from '../../database/totals.ts';
import { walkList, type Place } from '../../database/walk-list.ts';
import type { FileOrder, FileOrdersStore } from './file-orders-store.ts';
import type { FileRow } from './files-store.ts';

export interface FileListQuery {
  readonly sort: FileOrder | 'index';
  readonly descending: boolean;
  /** Part of a path, whatever the case of its letters; empty: all. */
  readonly search: string;
  /** Only files that are not as registered. */
  readonly problems: boolean;
  /** The last place seen, -1 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface FileListPage {
  readonly rows: readonly FileRow[];
  /** The last place looked at; null when nothing is behind it. */
  readonly next: number | null;
  /** Of the first page; null for the others. */
  readonly total: Total | null;
}

export interface FileListStore {
  /** One page of the files of a measurement; a page may hold fewer than `limit` though more follow. */
  page(measurementId: string, query: FileListQuery): Promise<FileListPage>;
}

// A search goes on at its next page behind so many files.
const maxWalked = 100_000;

/** Files of a measurement in their orders, searched by walking an order in steps. */
export function fileListStore(database: Database.Database, orders: FileOrdersStore): FileListStore {
  const rowsOf = database.prepare<[string, string], FileRow>(
    'SELECT * FROM measurement_files WHERE measurement_id = ? AND idx IN (SELECT value FROM json_each(?))',
  );
  const paths = database.prepare<[string, string], { idx: number; path: string; state: FileRow['state'] }>(
    'SELECT idx, path, state FROM measurement_files WHERE measurement_id = ? AND idx IN (SELECT value FROM json_each(?))',
  );
  const problemsBehind = database.prepare<[string, number, number], Place<number>>(
    `SELECT idx AS "key", idx AS id FROM measurement_files WHERE measurement_id = ? AND idx > ? AND state <> 'ok' ORDER BY idx LIMIT ?`,
  );

  function rowsAt(measurementId: string, indexes: readonly number[]): readonly FileRow[] {
    const rows = new Map(rowsOf.all(measurementId, JSON.stringify(indexes)).map((row) => [row.idx, row]));
    return indexes.flatMap((index) => rows.get(index) ?? []);
  }

  /** The indexes of the files at places of a list, whose direction the stored order need not have. */
  function indexesAt(
    measurementId: string,
    files: number,
    { sort, descending }: FileListQuery,
    from: number,
    count: number,
  ): readonly number[] {
    const wanted = Math.min(count, files - from);
    if (wanted <= 0) return [];
    const first = descending ? files - from - wanted : from;
    const found =
      sort === 'index'
        ? Array.from({ length: wanted }, (_, at) => first + at)
        : orders.indexesAt(measurementId, sort, first, wanted);
    return descending ? found.toReversed() : found;
  }

  async function walk(measurementId: string, files: number, query: FileListQuery): Promise<FileListPage> {
    const fits = textFinder(query.search);
    const page = await walkList<number>({
      places: (after, size): readonly Place<number>[] => {
        const from = Number(after?.key ?? -1) + 1;
        if (query.problems && query.sort === 'index' && !query.descending)
          return problemsBehind.all(measurementId, from - 1, size);
        return indexesAt(measurementId, files, query, from, size).map((id, at) => ({ key: from + at, id }));
      },
      fitting: (ids) =>
        paths
          .all(measurementId, JSON.stringify(ids))
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
      rows: rowsAt(measurementId, indexes),
      next: page.next === null ? null : Number(page.next.key),
      total: query.after < 0 ? page.total : null,
    };
  }

  return {
    page: async (measurementId, request) => {
      const { sort, search, problems, after, limit } = request;
      const query: FileListQuery =
        sort === 'index' || (await orders.make(measurementId, sort)) ? request : { ...request, sort: 'index' };
      const files = orders.count(measurementId);
      if (search !== '' || problems) return walk(measurementId, files, query);
      const rows = rowsAt(measurementId, indexesAt(measurementId, files, query, after + 1, limit));
      const next = after + 1 + limit < files ? after + limit : null;
      return { rows, next, total: after < 0 ? { count: files, complete: true } : null };
    },
  };
}
