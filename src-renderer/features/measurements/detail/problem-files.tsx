import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { FileRow } from './file-row.tsx';
import { useRowsOnScreen } from '../../../ui/lists/rows-on-screen.ts';
import fileRows from '../../../ui/styles/file-rows.module.css';

export interface ProblemFilesProps {
  readonly measurement: MeasurementDetail;
  readonly search: string;
  readonly onLook: (file: number) => void;
}

/** Files that are not as registered, with what is wrong with each. */
export function ProblemFiles({ measurement, search, onLook }: ProblemFilesProps) {
  const { queries } = useApp();
  const found = useInfiniteQuery(queries.foundFiles(measurement.id, { search, problems: true }));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  const files = (data?.pages ?? []).flatMap((page) => page.files);
  const { scroller, virtual, rows, height } = useRowsOnScreen(files.length, 52);
  const lastShown = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && error === null && lastShown >= files.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, error, lastShown, files.length, fetchNextPage]);
  if (error !== null && files.length === 0) return <NotLoaded of={found} alsoStale className="padded" />;
  if (data !== undefined && files.length === 0 && !hasNextPage)
    return <EmptyState title={`No path contains “${search}”.`} />;
  return (
    <>
      <NotLoaded of={{ data, error, refetch: fetchNextPage }} alsoStale className="padded" />
      <div ref={scroller} className={fileRows['scroller']}>
        <ul className={fileRows['space']} style={{ height }} aria-label="Files with problems">
          {rows.map(({ index, start }) => (
            <FileRow
              key={index}
              file={files[index]}
              measurement={measurement}
              top={start}
              onLook={onLook}
              problem={{ index, measure: virtual.measureElement }}
            />
          ))}
        </ul>
      </div>
    </>
  );
}
