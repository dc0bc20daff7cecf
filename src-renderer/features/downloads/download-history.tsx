import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { downloadsCsvAddress, everyDownload, type DownloadFilter } from '../../api/queries/download-queries.ts';
import { useApp } from '../../context/context.ts';
import { Button, DownloadLink } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { countOf, formatCount } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { DownloadFilters } from './download-filters.tsx';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import styles from './download-history.module.css';
import { DownloadRow } from './download-row.tsx';

interface DownloadHistoryProps {
  /** Null for all measurements. */
  readonly measurementId: string | null;
  /** Single transfers, also from before downloads were recorded; replaces the list of downloads. */
  readonly transfers: ReactNode;
  /** Whether single transfers are shown. */
  readonly single: boolean;
  readonly onSingle: (single: boolean) => void;
}

/** Downloads, the newest first: one row each, which expands. */
export function DownloadHistory({ measurementId, transfers, single, onSingle }: DownloadHistoryProps) {
  const [filter, setFilter] = useState<DownloadFilter>(everyDownload);
  const change = useStable((part: Partial<DownloadFilter>) => setFilter({ ...filter, ...part }));
  return (
    <>
      <div className={styles['head']}>
        {single ? null : <DownloadFilters filter={filter} onChange={change} />}
        <div className={styles['actions']}>
          <Button look="quiet" onClick={() => onSingle(!single)}>
            {single ? 'Downloads' : 'Single transfers'}
          </Button>
          {single ? null : (
            <DownloadLink href={downloadsCsvAddress(measurementId, filter)} download>
              Download CSV
            </DownloadLink>
          )}
        </div>
      </div>
      {single ? transfers : <DownloadList measurementId={measurementId} filter={filter} />}
    </>
  );
}

function DownloadList({
  measurementId,
  filter,
}: {
  readonly measurementId: string | null;
  readonly filter: DownloadFilter;
}) {
  const { queries } = useApp();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    queries.downloads(measurementId, filter),
  );
  const downloads = (data?.pages ?? []).flatMap((page) => page.items);
  const total = data?.pages.at(-1)?.total ?? 0;
  const all = Object.values(filter).every((value) => value === '');
  if (data === undefined) return <NotLoaded of={{ data, error, refetch }} className="padded" />;
  if (downloads.length === 0)
    return (
      <EmptyState
        icon={<History aria-hidden />}
        title={all ? 'Nobody has fetched anything yet.' : 'No download matches the filters.'}
      >
        {all
          ? 'Every download is recorded here: who, with which token, from where, how much, and how it ended.'
          : 'Change or clear the filters.'}
      </EmptyState>
    );
  return (
    <ScrollRegion className={styles['scroller']} label="Downloads">
      <ul>
        {downloads.map((download) => (
          <DownloadRow key={download.id} download={download} namesMeasurement={measurementId === null} />
        ))}
      </ul>
      <p className={styles['foot']}>
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older, {formatCount(total - downloads.length)} more
          </Button>
        ) : (
          countOf(total, 'download')
        )}
      </p>
    </ScrollRegion>
  );
}
