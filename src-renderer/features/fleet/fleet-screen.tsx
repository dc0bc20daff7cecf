import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { RadioTower } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatCount, formatTotal } from '../../../src-shared/format/quantities.ts';
import { benchPageSize } from '../../api/queries/fleet-queries.ts';
import type { BenchDetail as Detail, BenchFilter, BenchSummary } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen } from '../../context/context.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { useFocusAfterDetail } from '../../ui/hooks/use-focus-after-detail.ts';
import { coveredQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { FilterChoices } from '../../ui/layout/filter-choices.tsx';
import { Inspector } from '../../ui/layout/inspector.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import screen from '../../ui/layout/screen.module.css';
import { Pager } from '../../ui/lists/pager.tsx';
import { sortInAddress } from '../../ui/lists/sorted-rows.ts';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { BenchDetail } from './bench-detail.tsx';
import { BenchTable } from './bench-table.tsx';
import { EditBenchDialog } from './edit-bench-dialog.tsx';
import { firstOrder, orderOf, readFleetSearch, type FleetSearch } from './fleet-search.ts';
import { useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

/** The benches that report to this server, those that need somebody first; for administrators. */
export function FleetScreen() {
  useScreen('benches');
  const { queries } = useApp();
  const navigate = useNavigate();
  const covered = useMedia(coveredQuery);
  const address = readFleetSearch({ ...useSearch({ from: '/benches' }) });
  const { benchId } = useParams({ strict: false });
  const { search = '', filter = 'all', page = 1 } = address;
  const sort = orderOf(address);
  const summary = useQuery(queries.fleet()).data;
  const list = useQuery(queries.benches({ filter, search, sort: sort.by, order: sort.order, page }));
  const cursor = useRowCursor<string>();
  const [asked, setAsked] = useState<{ readonly kind: 'edit' | 'remove'; readonly bench: Detail } | null>(null);
  const section = useRef<HTMLElement>(null);

  const show = (next: FleetSearch): void =>
    void navigate({ to: '/benches', search: readFleetSearch({ ...address, page: 1, ...next }), replace: true });
  const close = (): void => void navigate({ to: '/benches', search: address });
  const open = (id: string): void =>
    void navigate({
      to: '/benches/$benchId',
      params: { benchId: id },
      search: address,
      replace: benchId !== undefined,
    });
  useCommand('close-inspector', benchId === undefined ? null : close);
  useFocusAfterDetail(benchId ?? null, () =>
    section.current?.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus(),
  );
  const benches = list.data?.items ?? [];

  return (
    <>
      <section ref={section} className={screen['screen']} aria-label="Benches" inert={covered && benchId !== undefined}>
        <PageHeader
          title="Benches"
          count={list.data === undefined ? undefined : formatTotal(list.data.total, list.data.more)}
          search={{ value: search, label: 'Search benches', onChange: (text) => show({ search: text }) }}
        />
        {summary === undefined || summary.all === 0 ? null : (
          <FilterChoices<BenchFilter>
            label="Which benches"
            choices={choicesOf(summary)}
            chosen={filter}
            onChoose={(next) => show({ filter: next })}
            className={screen['filter']}
          />
        )}
        <CutOff since={summary?.unheard_since ?? null} />
        <NotLoaded of={list} className={screen['note']} />
        {list.data === undefined ? null : benches.length > 0 ? (
          <BenchTable
            benches={benches}
            current={benchId ?? cursor.current}
            onCurrent={cursor.onCurrent}
            {...sortInAddress(sort, firstOrder, show)}
            onOpen={open}
          />
        ) : (
          <Nothing search={search} filter={filter} onClear={() => void navigate({ to: '/benches', search: {} })} />
        )}
        <Pager of={list.data} page={page} pageSize={benchPageSize} onPage={(next) => show({ page: next })} />
      </section>
      {benchId === undefined ? null : (
        <Inspector heading="Benches" label="Bench">
          <BenchDetail
            key={benchId}
            id={benchId}
            onClose={close}
            onEdit={(bench) => setAsked({ kind: 'edit', bench })}
            onRemove={(bench) => setAsked({ kind: 'remove', bench })}
          />
        </Inspector>
      )}
      {asked?.kind === 'edit' ? <EditBenchDialog bench={asked.bench} onClose={() => setAsked(null)} /> : null}
      {asked?.kind === 'remove' ? (
        <RemoveDialog bench={asked.bench} onClose={() => setAsked(null)} onRemoved={close} />
      ) : null}
    </>
  );
}

function choicesOf({ all, attention, reporting, gone }: BenchSummary) {
  return [
    { value: 'all', word: `All ${formatCount(all)}` },
    { value: 'attention', word: `Need somebody ${formatCount(attention)}` },
    { value: 'reporting', word: `Reporting ${formatCount(reporting)}` },
    { value: 'gone', word: `Off or away ${formatCount(gone)}` },
  ] as const;
}

/** Said once, instead of about each bench. */
function CutOff({ since }: { readonly since: string | null }) {
  if (since === null) return null;
  return (
    <div className={screen['note']}>
      <Note kind="warn">
        <p>
          No bench at all is heard. The last report came <Moment at={since} />. Check the network of this server.
        </p>
      </Note>
    </div>
  );
}

function Nothing({
  search,
  filter,
  onClear,
}: {
  readonly search: string;
  readonly filter: BenchFilter;
  readonly onClear: () => void;
}) {
  if (search !== '') return <NothingFound what="bench" search={search} onClear={onClear} />;
  if (filter === 'attention') return <EmptyState icon={<RadioTower aria-hidden />} title="No bench needs anybody." />;
  if (filter !== 'all') return <EmptyState icon={<RadioTower aria-hidden />} title="There are no such benches." />;
  return (
    <EmptyState icon={<RadioTower aria-hidden />} title="No bench reports to this server yet.">
      A Benchport at an instrument appears here by itself, as soon as it keeps a copy of a measurement on this server or
      pushes runs of a watched folder to it, with a token that has the scope <code>write_measurement</code>.
    </EmptyState>
  );
}

function RemoveDialog({
  bench,
  onClose,
  onRemoved,
}: {
  readonly bench: Detail;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) {
  const { actions } = useApp();
  const client = useQueryClient();
  return (
    <ConfirmDialog
      open
      title={`Remove ${bench.name} from the list?`}
      verb="Remove"
      onConfirm={async () => {
        await actions.removeBench(bench.id);
        onRemoved();
        await client.invalidateQueries({ queryKey: ['benches'] });
      }}
      onClose={onClose}
    >
      What is known of it is forgotten, with its name and note. Its measurements stay, and if it still reports, it
      appears again.
    </ConfirmDialog>
  );
}
