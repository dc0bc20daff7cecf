import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type Ref } from 'react';
import type { FileStatusPage, MeasurementDetail } from '../../../api/requests/types.ts';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { useApp } from '../../../context/context.ts';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { FileGrid } from './file-grid.tsx';
import { fileRowId, type TreeRow } from './tree.ts';
import type { Choosing } from './use-grid-actions.ts';
import styles from './found-tree.module.css';

export interface FoundTreeProps {
  readonly measurement: MeasurementDetail;
  readonly search: string;
  readonly choosing: Choosing | null;
  readonly onLook: (file: number) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Files whose paths contain a text; the service may stop counting before the end. */
export function FoundTree({ measurement, search, choosing, onLook, ref }: FoundTreeProps) {
  const { queries } = useApp();
  const found = useInfiniteQuery(queries.foundFiles(measurement.id, { search, problems: false }));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  const [cursor, setCursor] = useState<string | null>(null);
  const rows = useMemo(() => rowsOf(data?.pages ?? [], data === undefined || hasNextPage), [data, hasNextPage]);
  const onView = useCallback(
    (_: number, last: number) => {
      if (hasNextPage && !isFetchingNextPage && error === null && last >= rows.length - 20) void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, error, rows.length, fetchNextPage],
  );
  if (error !== null && data === undefined) return <NotLoaded of={found} alsoStale className="padded" />;
  if (data !== undefined && rows.length === 0) return <EmptyState title={`No path contains “${search}”.`} />;
  return (
    <>
      <p className={styles['count']} role="status">
        {countWords(data?.pages[0], data === undefined ? 0 : rows.length, hasNextPage)}
      </p>
      <NotLoaded of={{ data, error, refetch: fetchNextPage }} alsoStale className="padded" />
      <FileGrid
        ref={ref}
        label="Files found"
        measurement={measurement}
        rows={rows}
        flat
        cursor={cursor}
        onCursor={setCursor}
        choosing={choosing}
        onFold={() => undefined}
        onLook={onLook}
        onView={onView}
      />
    </>
  );
}

function rowsOf(pages: readonly FileStatusPage[], more: boolean): readonly TreeRow[] {
  const place = { level: 1, folder: '', page: 0 };
  const rows: TreeRow[] = pages.flatMap(({ files }) =>
    files.map((file) => ({ kind: 'file' as const, id: fileRowId(file.index), ...place, name: file.path, file })),
  );
  if (more) rows.push({ kind: 'more', id: 'more', ...place });
  return rows;
}

function countWords(first: FileStatusPage | undefined, loaded: number, more: boolean): string {
  if (first === undefined) return 'Searching';
  const count = Math.max(first.total?.count ?? 0, more ? loaded - 1 : loaded);
  const words = `${formatCount(count)} ${count === 1 ? 'file' : 'files'} found`;
  return more && first.total?.complete !== true ? `At least ${words}` : words;
}
