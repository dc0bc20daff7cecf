import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { pastTransferPageSize } from '../../api/queries/sharing-queries.ts';
import { useApp } from '../../context/context.ts';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import screen from '../../ui/layout/screen.module.css';
import { PastTable } from './past-table.tsx';

interface SentBeforeProps {
  readonly search: string;
  /** Counted from 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Downloads of all measurements. */
export function SentBefore({ search, page, onPage }: SentBeforeProps) {
  const { data, error, refetch } = useQuery(useApp().queries.pastTransfers(search, page));
  return (
    <>
      <NotLoaded of={{ data, error, refetch }} className={screen['note']} />
      {data === undefined ? null : data.items.length > 0 ? (
        <PastTable transfers={data.items} />
      ) : (
        <EmptyState
          icon={<History aria-hidden />}
          title={search === '' ? 'Nobody has fetched anything yet.' : `No past transfer matches “${search}”.`}
        >
          Every transfer is recorded here: who, with which token, from where, and how it ended.
        </EmptyState>
      )}
      <Pager of={data} page={page} pageSize={pastTransferPageSize} onPage={onPage} />
    </>
  );
}
