import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CopyCheck, FolderKanban, Pause, Play, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { copyPageSize } from '../../api/queries/copy-queries.ts';
import { toApiError } from '../../api/requests/problem.ts';
import type { CopyFilter, CopyPage } from '../../api/requests/types.ts';
import { useApp, useScreen, useToast } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FilterChoices } from '../../ui/layout/filter-choices.tsx';
import { Screen } from '../../ui/layout/screen.tsx';
import screen from '../../ui/layout/screen.module.css';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { CopyRow } from './copy-row.tsx';
import styles from './copies-screen.module.css';
import { copyFilters, readCopiesSearch } from './copies-search.ts';
import { KeepCopyDialog } from './keep-copy-dialog.tsx';

/** Copies of measurements on other servers: those on their way, and those that were verified. */
export function CopiesScreen() {
  useScreen('copies');
  const { queries } = useApp();
  const navigate = useNavigate();
  // The router also passes on parameters that were not validated.
  const { filter = 'all', page = 1 } = readCopiesSearch({ ...useSearch({ from: '/copies' }) });
  const list = useQuery(queries.copies(filter, page));
  const [asking, setAsking] = useState(false);
  const show = (next: { readonly filter: CopyFilter; readonly page: number }): void =>
    void navigate({ to: '/copies', search: readCopiesSearch(next), replace: true });
  const counts = list.data?.counts;
  return (
    <Screen
      title="Copies"
      count={counts === undefined ? undefined : formatCount(counts.all)}
      beside={counts === undefined || counts.active + counts.failed === 0 ? null : <AllButtons counts={counts} />}
      action={
        <Button icon={<FolderKanban aria-hidden />} onClick={() => setAsking(true)}>
          Copy a project…
        </Button>
      }
    >
      {counts === undefined || counts.all === 0 ? null : (
        <FilterChoices<CopyFilter>
          label="Which copies"
          choices={copyFilters.map(({ value, word }) => ({ value, word: `${word} ${formatCount(counts[value])}` }))}
          chosen={filter}
          onChoose={(value) => show({ filter: value, page: 1 })}
          className={screen['filter']}
        />
      )}
      <NotLoaded of={list} className={screen['note']} />
      {list.data === undefined ? null : <Rows page={list.data} />}
      <Pager
        of={list.data === undefined ? undefined : { total: list.data.total, more: false }}
        page={page}
        pageSize={copyPageSize}
        onPage={(next) => show({ filter, page: next })}
      />
      {asking ? <KeepCopyDialog what="project" onClose={() => setAsking(false)} /> : null}
    </Screen>
  );
}

function Rows({ page }: { readonly page: CopyPage }) {
  if (page.items.length > 0)
    return (
      <ScrollRegion className={screen['scroller']} label="List of copies">
        <ul className={styles['list']}>
          {page.items.map((copy) => (
            <CopyRow key={copy.id} copy={copy} namesMeasurement />
          ))}
        </ul>
      </ScrollRegion>
    );
  return page.counts.all === 0 ? (
    <EmptyState icon={<CopyCheck aria-hidden />} title="No measurement has a copy elsewhere yet.">
      Select measurements and choose “Keep a copy on a server”. Each copy is sent in the background, confirmed by the
      server with a signed receipt, and checked again every month.
    </EmptyState>
  ) : (
    <EmptyState icon={<CopyCheck aria-hidden />} title="There are no such copies." />
  );
}

/** Acts on the whole queue. */
function AllButtons({ counts }: { readonly counts: CopyPage['counts'] }) {
  const { actions } = useApp();
  const toast = useToast();
  const client = useQueryClient();
  const act = async (action: 'pause' | 'resume' | 'retry'): Promise<void> => {
    try {
      await actions.actOnCopies(action, 'all');
    } catch (error) {
      toast({ kind: 'bad', text: 'The copies were not changed', detail: toApiError(error).detail });
    }
    await client.invalidateQueries({ queryKey: ['copies'] });
  };
  return (
    <span className="row middle">
      {counts.active === 0 ? null : (
        <>
          <Button look="quiet" icon={<Pause aria-hidden />} onClick={() => void act('pause')}>
            Pause all
          </Button>
          <Button look="quiet" icon={<Play aria-hidden />} onClick={() => void act('resume')}>
            Resume all
          </Button>
        </>
      )}
      {counts.failed === 0 ? null : (
        <Button look="quiet" icon={<RotateCw aria-hidden />} onClick={() => void act('retry')}>
          Retry failed
        </Button>
      )}
    </span>
  );
}
