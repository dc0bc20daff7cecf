import { useStatusCommands } from './list/use-status-commands.ts';
import { ErrorsHead } from './list/errors-head.tsx';
import { ErrorArea } from './list/error-area.tsx';
import { useErrorPages } from './list/use-error-pages.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ErrorSort, Project } from '../../api/requests/types.ts';
import { useApp, useCommand, useToast } from '../../context/context.ts';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { Inspector } from '../../ui/layout/inspector.tsx';
import { coveredQuery, narrowQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { useFocusAfterDetail } from '../../ui/hooks/use-focus-after-detail.ts';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { ErrorDetailPanel } from './detail/error-detail.tsx';
import { ErrorDialogs, type AskedOfErrors } from './error-dialogs.tsx';
import { listOptionsOf, readErrorsSearch, type ErrorsSearch } from './search/errors-search.ts';
import screen from '../../ui/layout/screen.module.css';
import styles from './errors-screen.module.css';
import { FilterBar } from './filter-bar.tsx';
import { mayChange, mayDelete } from './detail/may-change.ts';
import { ProjectChart } from './charts/project-chart.tsx';
import { NoErrors } from './search/no-errors.tsx';
import { keepListed, noRows, type RowSelection } from '../../ui/lists/row-selection.ts';

/** Number of errors that one request may change. */
const maxSelected = 1000;

/** The errors of one project, with the open one beside them or on its own. */
export function ProjectErrors({
  projects,
  project,
}: {
  readonly projects: readonly Project[];
  readonly project: Project;
}) {
  const app = useApp();
  const toast = useToast();
  const navigate = useNavigate();
  const { errorId = null } = useParams({ strict: false });
  const search = useSearch({ from: '/projects/$path/errors' });
  const options = listOptionsOf(search);
  const narrow = useMedia(narrowQuery);
  const covered = useMedia(coveredQuery);
  const list = useInfiniteQuery(app.queries.errors(project.id, options));
  const { errors, total, more } = useErrorPages(list);
  const intake = useQuery({ ...app.queries.intake(project.id), enabled: project.error_tracking.integrated });
  const open = useQuery({ ...app.queries.error(project.id, errorId ?? ''), enabled: errorId !== null });
  const [chosen, setChosen] = useState<RowSelection>(noRows);
  const [asked, setAsked] = useState<AskedOfErrors | null>(null);
  const listRef = useRef<{ focus: () => void }>(null);
  const selection = keepListed(
    chosen,
    errors.map(({ id }) => id),
  );
  const { path } = project;

  const show = (next: ErrorsSearch): void => void navigate({ to: '.', search: next, replace: true });
  const listSearch = readErrorsSearch({ query: search.query, sort: search.sort });
  const setQuery = useStable((query: string) => {
    setChosen(noRows);
    show(readErrorsSearch({ ...search, query }));
  });
  const openError = (id: string, how: 'asked' | 'followed'): void =>
    void navigate({
      to: '/projects/$path/errors/$errorId',
      params: { path, errorId: id },
      search: { ...listSearch, ...(search.wide === true ? { wide: true as const } : {}) },
      replace: how === 'followed' || errorId !== null,
    });
  const close = (): void => void navigate({ to: '/projects/$path/errors', params: { path }, search: listSearch });
  useFocusAfterDetail(errorId, () => listRef.current?.focus());
  const openProject = (next: string | null): void =>
    void (next === null
      ? navigate({ to: '/errors/all', search: listSearch })
      : navigate({ to: '/projects/$path/errors', params: { path: next }, search: listSearch }));

  // Commands apply to the selected rows; without a selection, to the open error.
  const targets = selection.ids.size > 0 ? [...selection.ids] : errorId === null ? [] : [errorId];
  const known = [...errors, ...(open.data === undefined ? [] : [open.data])];
  const targeted = targets.flatMap((id) => known.find((error) => error.id === id) ?? []);
  useStatusCommands(mayChange(project) ? targeted.map((error) => ({ ...error, projectId: project.id })) : []);
  useCommand(
    'merge-errors',
    mayChange(project) && project.error_tracking.integrated && targets.length > 1
      ? () => setAsked({ kind: 'merge', ids: targets })
      : null,
  );
  useCommand(
    'delete-error',
    mayDelete(project) && targets.length > 0 ? () => setAsked({ kind: 'delete', ids: targets }) : null,
  );
  useCommand('close-inspector', errorId === null ? null : close);

  const selectAll = async (): Promise<void> => {
    let { data, hasNextPage } = list;
    const read = (): number => data?.pages.reduce((sum, page) => sum + page.errors.length, 0) ?? 0;
    while (hasNextPage && read() < maxSelected) ({ data, hasNextPage } = await list.fetchNextPage());
    const ids = [...new Set(data?.pages.flatMap((page) => page.errors.map(({ id }) => id)))].slice(0, maxSelected);
    setChosen({ ...selection, ids: new Set(ids) });
    if (hasNextPage) toast({ kind: 'plain', text: `The first ${formatCount(ids.length)} errors are selected` });
  };
  const gone = (ids: readonly string[]): void => {
    setChosen(noRows);
    if (errorId !== null && ids.includes(errorId))
      void navigate({ to: '/projects/$path/errors', params: { path }, search: listSearch });
  };
  const alone = errorId !== null && (covered || search.wide === true);
  const sort = (by: ErrorSort): void => show(readErrorsSearch({ ...search, sort: by }));
  const detail =
    errorId === null ? null : (
      <ErrorDetailPanel
        key={errorId}
        project={project}
        errorId={errorId}
        event={search.event ?? 'latest'}
        wide={search.wide === true}
        onEvent={(event) => show(readErrorsSearch({ ...search, event }))}
        onWide={(wide) => show(readErrorsSearch({ ...search, wide }))}
        onQuery={(query) => void navigate({ to: '/projects/$path/errors', params: { path }, search: { query } })}
        onClose={close}
        onDelete={mayDelete(project) ? () => setAsked({ kind: 'delete', ids: [errorId] }) : null}
      />
    );

  return (
    <>
      <section className={screen['screen']} aria-label="List of errors" inert={alone}>
        <ErrorsHead
          total={list.data === undefined ? null : total}
          query={search.query ?? ''}
          onQuery={setQuery}
          onLeave={() => listRef.current?.focus()}
        />
        <FilterBar
          projects={projects}
          project={project}
          query={search.query ?? ''}
          sort={options.sort}
          onProject={openProject}
          onQuery={setQuery}
          onSort={sort}
        />
        {project.error_tracking.integrated ? <ProjectChart projectId={project.id} intake={intake.data} /> : null}
        <ErrorArea
          ref={listRef}
          list={list}
          alsoStale
          options={options}
          empty={<NoErrors project={project} query={search.query ?? ''} onQuery={setQuery} />}
          errors={errors}
          total={total}
          openId={errorId}
          selection={selection}
          onSelect={setChosen}
          onSelectAll={() => void selectAll()}
          onOpen={openError}
          onSort={sort}
          onEnd={more}
        />
      </section>
      {detail === null ? null : search.wide === true && !narrow ? (
        <section className={styles['wide']} aria-label="Error">
          {detail}
        </section>
      ) : (
        <Inspector heading="Errors" label="Error">
          {detail}
        </Inspector>
      )}
      <ErrorDialogs asked={asked} project={project} onClose={() => setAsked(null)} onGone={gone} />
    </>
  );
}
