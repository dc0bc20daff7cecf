import { useQuery } from '@tanstack/react-query';
import { ScanSearch } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { capturePageSize, type CaptureRunList } from '../../../api/queries/capture-queries.ts';
import type { CaptureFilter, CaptureRule, CaptureRunPage } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FilterChoices } from '../../../ui/layout/filter-choices.tsx';
import screen from '../../../ui/layout/screen.module.css';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { Pager } from '../../../ui/lists/pager.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { NothingFound } from '../../../ui/notes/nothing-found.tsx';
import { captureFilters } from './capture-search.ts';
import { RunDialogs, type AskedOfRun } from './run-dialogs.tsx';
import { RunRow } from './run-row.tsx';
import styles from './run-list.module.css';

interface RunListProps {
  readonly rules: readonly CaptureRule[];
  readonly shown: CaptureRunList;
  readonly onShow: (change: Partial<CaptureRunList>) => void;
  /** The rules, which scroll with the runs. */
  readonly children: ReactNode;
}

/** The runs that were found, with their filters. */
export function RunList({ rules, shown, onShow, children }: RunListProps) {
  const list = useQuery(useApp().queries.captureRuns(shown));
  const [asked, setAsked] = useState<AskedOfRun | null>(null);
  return (
    <>
      <ScrollRegion className={`${screen['scroller']} ${styles['column']}`} label="Rules and runs">
        {children}
        {list.data === undefined ? null : (
          <RunFilters counts={list.data.counts} rules={rules} shown={shown} onShow={onShow} />
        )}
        <NotLoaded of={list} className={screen['note']} />
        {list.data === undefined ? null : list.data.items.length === 0 ? (
          <NoRuns shown={shown} onShow={onShow} isPaused={rules.every(({ state }) => state === 'paused')} />
        ) : (
          <ul aria-label="Runs">
            {list.data.items.map((run) => (
              <RunRow key={run.id} run={run} namesRule={shown.rule === null && rules.length > 1} onAsk={setAsked} />
            ))}
          </ul>
        )}
      </ScrollRegion>
      <Pager
        of={list.data === undefined ? undefined : { total: list.data.total, more: false }}
        page={shown.page}
        pageSize={capturePageSize}
        onPage={(page) => onShow({ page })}
      />
      <RunDialogs asked={asked} rules={rules} onClose={() => setAsked(null)} />
    </>
  );
}

function RunFilters({ counts, rules, shown, onShow }: Omit<RunListProps, 'children'> & Pick<CaptureRunPage, 'counts'>) {
  const rule = rules.find(({ id }) => id === shown.rule);
  return (
    <div className={`${styles['bar']} ${screen['filter']}`}>
      <FilterChoices<CaptureFilter>
        label="Which runs"
        choices={captureFilters.map(({ value, word, count }) => ({
          value,
          word: `${word} ${formatCount(counts[count])}`,
        }))}
        chosen={shown.filter}
        onChoose={(filter) => onShow({ filter, page: 1 })}
      />
      {rule === undefined ? null : (
        <Button look="quiet" onClick={() => onShow({ rule: null, page: 1 })}>
          Show all rules
        </Button>
      )}
    </div>
  );
}

function NoRuns({
  shown,
  onShow,
  isPaused,
}: Omit<RunListProps, 'rules' | 'children'> & { readonly isPaused: boolean }) {
  if (shown.search !== '')
    return <NothingFound what="run" search={shown.search} onClear={() => onShow({ search: '', page: 1 })} />;
  if (shown.filter !== 'all') return <EmptyState icon={<ScanSearch aria-hidden />} title="There are no such runs." />;
  return (
    <EmptyState icon={<ScanSearch aria-hidden />} title="No run was found yet.">
      {isPaused ? 'Resume a rule to look for runs.' : 'It appears here as soon as the instrument begins to write one.'}
    </EmptyState>
  );
}
