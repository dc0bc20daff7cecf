import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { FileStatusPage, MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { FileRow } from './file-row.tsx';
import { useRowsOnScreen } from '../../../ui/lists/rows-on-screen.ts';
import fileRows from '../../../ui/styles/file-rows.module.css';
import styles from './files-tab.module.css';

export interface FoundFilesProps {
  readonly measurement: MeasurementDetail;
  readonly search: string;
  readonly problems: boolean;
  readonly onLook: (file: number) => void;
}

/**
 * Files that match a search, or that are not as registered; the service may stop counting before
 * the end.
 */
export function FoundFiles({ measurement, search, problems, onLook }: FoundFilesProps) {
  const { queries } = useApp();
  const found = useInfiniteQuery(queries.foundFiles(measurement.id, { search, problems }));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  const files = (data?.pages ?? []).flatMap((page) => page.files);
  const { scroller, virtual, rows, height } = useRowsOnScreen(files.length, problems ? 52 : 36);
  const lastShown = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && error === null && lastShown >= files.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, error, lastShown, files.length, fetchNextPage]);
  if (error !== null && files.length === 0) return <NotLoaded of={found} alsoStale className="padded" />;
  if (data !== undefined && files.length === 0 && !hasNextPage)
    return <EmptyState title={`No path contains “${search}”.`} />;
  return (
    <>
      <p className={styles['count']} role="status">
        {search === '' ? '' : countWords(data?.pages[0], files.length, hasNextPage)}
      </p>
      <NotLoaded of={{ data, error, refetch: fetchNextPage }} alsoStale className="padded" />
      <div ref={scroller} className={fileRows['scroller']}>
        <ul
          className={fileRows['space']}
          style={{ height }}
          aria-label={problems ? 'Files with problems' : 'Files found'}
        >
          {rows.map(({ index, start }) => (
            <FileRow
              key={index}
              file={files[index]}
              measurement={measurement}
              top={start}
              onLook={onLook}
              {...(problems ? { problem: { index, measure: virtual.measureElement } } : {})}
            />
          ))}
        </ul>
      </div>
    </>
  );
}

function countWords(first: FileStatusPage | undefined, loaded: number, more: boolean): string {
  if (first === undefined) return 'Searching';
  const count = Math.max(first.total?.count ?? 0, loaded);
  const words = `${formatCount(count)} ${count === 1 ? 'file' : 'files'} found`;
  return more && first.total?.complete !== true ? `At least ${words}` : words;
}
