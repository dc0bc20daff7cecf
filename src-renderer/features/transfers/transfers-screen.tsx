import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowDownToLine } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Fetch, FetchFilter } from '../../api/requests/types.ts';
import { useApp, useScreen } from '../../context/context.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Inspector } from '../../ui/layout/inspector.tsx';
import { ContextMenu } from '../../ui/controls/menu.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { noRows } from '../../ui/lists/row-selection.ts';
import screen from '../../ui/layout/screen.module.css';
import { coveredQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { useFocusAfterDetail } from '../../ui/hooks/use-focus-after-detail.ts';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { actOn, clearDone } from './commands/act-on-fetches.ts';
import { useChosenTransfers, useSelection, type ChosenTransfers } from './commands/chosen-transfers.ts';
import { FilterBar } from './filter-bar.tsx';
import { LimitMenu } from './commands/limit-menu.tsx';
import { NoTransfers } from './list/no-transfers.tsx';
import { PauseAll } from './commands/pause-all.tsx';
import { RateStrip } from './rate-strip.tsx';
import type { RowVerb } from './list/row-action.tsx';
import { TransferCommands } from './commands/transfer-commands.ts';
import { TransferDetail } from './detail/transfer-detail.tsx';
import { TransferDialogs, type AskedOfTransfers } from './commands/transfer-dialogs.tsx';
import { TransferBar } from './commands/transfer-bar.tsx';
import { TransferList } from './list/transfer-list.tsx';
import { TransferMenu } from './commands/transfer-menu.tsx';
import { countWords } from './list/transfer-row.tsx';
import styles from './transfers-screen.module.css';
import { fetchListOf, nextFetchOrder, readTransfersSearch } from './list/transfers-search.ts';
import { useFirstFetches, useHiddenPlaces } from './list/use-fetch-rows.ts';
import { useRemedy } from './commands/use-remedy.ts';

/** Fetches from other servers into folders of this machine. */
export function TransfersScreen() {
  useScreen('transfers');
  const app = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const covered = useMedia(coveredQuery);
  // The router also passes on parameters that were not validated.
  const search = readTransfersSearch({ ...useSearch({ from: '/transfers' }) });
  const { fetchId = null } = useParams({ strict: false });
  const list = fetchListOf(search);
  const first = useFirstFetches(list);
  const hidden = useHiddenPlaces(list);
  const out = useStore(app.fetches.removals.store, (state) => state.hidden);
  const chosen = useChosenTransfers();
  const [asked, setAsked] = useState<AskedOfTransfers | null>(null);
  const listRef = useRef<{ focus: () => void }>(null);

  const setSearch = useCallback(
    (value: string) =>
      void navigate({ to: '.', search: (before) => readTransfersSearch({ ...before, search: value }), replace: true }),
    [navigate],
  );
  const setFilter = (filter: FetchFilter): void => {
    chosen.setState(noRows);
    void navigate({ to: '.', search: readTransfersSearch({ ...search, filter }), replace: true });
  };
  const open = (id: string, how: 'asked' | 'followed'): void =>
    void navigate({
      to: '/transfers/$fetchId',
      params: { fetchId: id },
      search,
      replace: how === 'followed' || fetchId !== null,
    });
  const close = (): void => void navigate({ to: '/transfers', search });
  useFocusAfterDetail(fetchId, () => listRef.current?.focus());
  const remedy = useRemedy(setAsked);
  const act = useStable((fetch: Fetch, verb: RowVerb): void => {
    if (verb === 'show') void app.desktop?.showInFolder(fetch.target);
    else if (verb === 'remedy') remedy(fetch);
    else void actOn(app, client, verb, [fetch]);
  });

  const targets = { list, chosen, openId: fetchId, readAt: first.dataUpdatedAt };
  const total = Math.max(0, (first.data?.total ?? 0) - hidden.length);
  const clear = (): void => {
    chosen.setState(noRows);
    if (list.filter === 'done') setFilter('all');
    void clearDone(app, client);
  };
  const newFetch = (): void => void navigate({ to: '/servers' });

  return (
    <>
      <section className={screen['screen']} aria-label="List of transfers" inert={covered && fetchId !== null}>
        <PageHeader
          title="Transfers"
          count={first.data === undefined ? undefined : <Count chosen={chosen} total={total} />}
          {...(first.data === undefined || (first.data.counts.all === 0 && list.search === '')
            ? {}
            : {
                search: {
                  value: search.search ?? '',
                  label: 'Search transfers',
                  onChange: setSearch,
                  onLeave: () => listRef.current?.focus(),
                },
                beside: (
                  <span className={styles['tools']}>
                    <LimitMenu />
                    <PauseAll counts={first.data.counts} />
                  </span>
                ),
              })}
          action={
            <Button look="primary" icon={<ArrowDownToLine aria-hidden />} onClick={newFetch}>
              Fetch
            </Button>
          }
        />
        {first.data === undefined || first.data.counts.all === 0 ? null : (
          <FilterBar
            counts={first.data.counts}
            hidden={[...out.values()]}
            filter={list.filter}
            onFilter={setFilter}
            onClear={clear}
          />
        )}
        <TransferBar chosen={chosen} />
        <RateStrip />
        <NotLoaded of={first} className={screen['note']} />
        {first.data !== undefined && total === 0 ? (
          <NoTransfers
            list={list}
            all={first.data.counts.all}
            onFetch={newFetch}
            onAll={() => setFilter('all')}
            onClear={() => setSearch('')}
          />
        ) : null}
        {first.data !== undefined && total > 0 ? (
          <ContextMenu className={screen['area']} menu={<TransferMenu {...targets} />}>
            <TransferList
              ref={listRef}
              list={list}
              firstPage={{ items: first.data.items, at: first.dataUpdatedAt }}
              hidden={hidden}
              total={total}
              busy={first.isPlaceholderData}
              openId={fetchId}
              chosen={chosen}
              onOpen={open}
              onSort={(sort) => {
                const { sort: _, order: __, ...kept } = search;
                void navigate({ to: '.', search: { ...kept, ...nextFetchOrder(list, sort) }, replace: true });
              }}
              onAct={act}
            />
          </ContextMenu>
        ) : null}
      </section>
      {fetchId === null ? null : (
        <Inspector heading="Transfers" label="Transfer">
          <TransferDetail key={fetchId} id={Number(fetchId)} onClose={close} onAct={act} onRemedy={remedy} />
        </Inspector>
      )}
      <TransferDialogs asked={asked} onClose={() => setAsked(null)} onGone={() => chosen.setState(noRows)} />
      <TransferCommands {...targets} onRemedy={remedy} onAsk={setAsked} />
    </>
  );
}

/** A component of its own, so that selecting re-renders nothing else of the header. */
function Count({ chosen, total }: { readonly chosen: ChosenTransfers; readonly total: number }) {
  return countWords(total, useSelection(chosen).ids.size);
}
