import { NoMeasurements } from './no-measurements.tsx';
import { useMeasurementCommands } from './use-measurement-commands.ts';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArchiveRestore, FolderPlus, FolderUp } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { MeasurementSort } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen } from '../../context/context.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { BulkBar } from '../../ui/lists/bulk-bar.tsx';
import { formatCount, formatTotal } from '../../../src-shared/format/quantities.ts';
import { Inspector } from '../../ui/layout/inspector.tsx';
import { ContextMenu } from '../../ui/controls/menu.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { useFocusAfterDetail } from '../../ui/hooks/use-focus-after-detail.ts';
import { coveredQuery, narrowQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { JobsPanel } from '../jobs/jobs-panel.tsx';
import { DegradedNote } from './degraded-note.tsx';
import { RegisterDrop, UploadDrop } from './measurement-drops.tsx';
import { UploadsPanel } from '../uploads/uploads-panel.tsx';
import { listQueryOf, nextOrder, readListSearch } from './list/list-search.ts';
import { MeasurementDetailPanel } from './detail/measurement-detail.tsx';
import { MeasurementDialogs, type OpenDialog } from './dialogs/measurement-dialogs.tsx';
import { MeasurementList } from './list/measurement-list.tsx';
import { bulkMeasurementActions, MeasurementMenu } from './list/measurement-menu.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import screen from '../../ui/layout/screen.module.css';
import { nothingSelected, without, type Cursor, type Selection } from './list/selection.ts';
import { SortMenu } from './list/sort-menu.tsx';
import { useFirstPage } from './list/use-measurement-pages.ts';

/** The list of measurements with the open one beside it, and their actions. */
export function MeasurementsScreen() {
  useScreen('measurements');
  const app = useApp();
  const navigate = useNavigate();
  const { measurementId = null } = useParams({ strict: false });
  const { file = null, ...search } = useSearch({ from: '/measurements' });
  const list = listQueryOf(search);
  const narrow = useMedia(narrowQuery);
  const covered = useMedia(coveredQuery);
  const [chosen, setChosen] = useState<{ selection: Selection; cursor: Cursor | null }>({
    selection: nothingSelected,
    cursor: null,
  });
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const listRef = useRef<{ focus: () => void }>(null);
  const first = useFirstPage(list);
  const { total = 0, more = false } = first.data ?? {};

  const setSearch = useCallback(
    (value: string) =>
      void navigate({ to: '.', search: (before) => readListSearch({ ...before, search: value }), replace: true }),
    [navigate],
  );
  const showProblems = (problems: boolean): void =>
    void navigate({ to: '/measurements', search: (before) => readListSearch({ ...before, problems }), replace: true });
  const sort = (by: MeasurementSort): void =>
    void navigate({ to: '.', search: { ...search, ...nextOrder(list, by) }, replace: true });
  const open = (id: string, how: 'asked' | 'followed'): void =>
    void navigate({
      to: '/measurements/$measurementId',
      params: { measurementId: id },
      search,
      replace: how === 'followed' || measurementId !== null,
    });
  const close = (): void => void navigate({ to: '/measurements', search });
  const look = (index: number | null): void =>
    void navigate({ to: '.', search: index === null ? search : { ...search, file: index } });
  useFocusAfterDetail(measurementId, () => listRef.current?.focus());

  // Commands apply to the selected rows; without a selection, to the open measurement.
  const targets =
    chosen.selection.ids.size > 0 ? [...chosen.selection.ids] : measurementId === null ? [] : [measurementId];
  const { register } = useMeasurementCommands(targets, setDialog);
  useCommand('close-inspector', measurementId === null ? null : file === null ? close : () => look(null));
  const { desktop } = app;

  const removed = (ids: readonly string[]): void => {
    app.recent.getState().forget(ids);
    setChosen(({ selection }) => ({ selection: without(selection, new Set(ids)), cursor: null }));
    if (measurementId !== null && ids.includes(measurementId)) void navigate({ to: '/measurements', search });
  };
  const selectedCount = chosen.selection.ids.size;
  const handlers = useStore(app.commands, (state) => state.handlers);

  return (
    <>
      <section className={screen['screen']} aria-label="List of measurements" inert={covered && measurementId !== null}>
        <PageHeader
          title="Measurements"
          count={
            first.data === undefined
              ? undefined
              : selectedCount > 1
                ? `${formatCount(selectedCount)} of ${formatTotal(total, more)} selected`
                : formatTotal(total, more)
          }
          {...(first.data !== undefined && total === 0 && list.search === '' && list.problems !== true
            ? {}
            : {
                search: {
                  value: search.search ?? '',
                  label: 'Search measurements',
                  onChange: setSearch,
                  onLeave: () => listRef.current?.focus(),
                },
              })}
          beside={
            <>
              {narrow && total > 0 ? <SortMenu list={list} onSort={sort} /> : null}
              <IconButton
                label="Removed measurements"
                icon={<ArchiveRestore />}
                onClick={() => setDialog({ kind: 'removed' })}
              />
            </>
          }
          action={
            desktop === null ? (
              <CommandButton look="primary" icon={<FolderUp aria-hidden />} command="upload">
                Upload
              </CommandButton>
            ) : (
              <CommandButton look="primary" icon={<FolderPlus aria-hidden />} command="register-folder">
                Register
              </CommandButton>
            )
          }
        />
        <BulkBar
          label="With the selected measurements"
          count={selectedCount}
          actions={bulkMeasurementActions(handlers)}
          onClear={() => setChosen({ selection: nothingSelected, cursor: null })}
        />
        {desktop === null ? (
          <UploadsPanel onGoOn={(names) => setDialog({ kind: 'upload', picked: null, names })} />
        ) : null}
        <JobsPanel />
        <DegradedNote shown={list.problems === true} onShow={showProblems} />
        <NotLoaded of={first} className={screen['note']} />
        {first.data !== undefined && total === 0 ? (
          <NoMeasurements list={list} more={more} onClear={() => setSearch('')} />
        ) : null}
        {total > 0 && first.data !== undefined ? (
          <ContextMenu className={screen['area']} menu={<MeasurementMenu />}>
            <MeasurementList
              ref={listRef}
              list={list}
              firstPage={first.data.items}
              total={total}
              more={more}
              busy={first.isPlaceholderData}
              openId={measurementId}
              selection={chosen.selection}
              cursor={chosen.cursor}
              dragOut={app.dragOut}
              onSelect={(selection, cursor) => setChosen({ selection, cursor })}
              onOpen={open}
              onSort={sort}
            />
          </ContextMenu>
        ) : null}
      </section>
      {measurementId === null ? null : (
        <Inspector heading="Measurements" label={`Measurement ${measurementId}`} isWide={file !== null}>
          <MeasurementDetailPanel
            key={measurementId}
            id={measurementId}
            file={file}
            onLook={look}
            onClose={close}
            onRename={() => setDialog({ kind: 'rename', id: measurementId })}
          />
        </Inspector>
      )}
      {desktop === null ? (
        <UploadDrop onPicked={(picked) => setDialog({ kind: 'upload', picked, names: null })} />
      ) : (
        <RegisterDrop desktop={desktop} onPaths={register} />
      )}
      <MeasurementDialogs dialog={dialog} onClose={() => setDialog(null)} onRemoved={removed} />
    </>
  );
}
