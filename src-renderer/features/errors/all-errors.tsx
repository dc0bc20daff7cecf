import { useStatusCommands } from './list/use-status-commands.ts';
import { ErrorsHead } from './list/errors-head.tsx';
import { ErrorArea } from './list/error-area.tsx';
import { useErrorPages } from './list/use-error-pages.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bug } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ErrorSort } from '../../api/requests/types.ts';
import { useApp, useScreen } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { keepListed, noRows } from '../../ui/lists/row-selection.ts';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import screen from '../../ui/layout/screen.module.css';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { listOptionsOf, readErrorsSearch, withStatus } from './search/errors-search.ts';
import { FilterBar } from './filter-bar.tsx';
import { allProjects, keepLastProject } from './last-project.ts';
import { mayChange } from './detail/may-change.ts';

/** The errors of all projects in one list; one of them opens in its project. */
export function AllErrors() {
  useScreen('errors');
  const app = useApp();
  const navigate = useNavigate();
  const search = readErrorsSearch({ ...useSearch({ from: '/errors/all' }) });
  const options = listOptionsOf(search);
  const projects = useQuery(app.queries.myProjects());
  const list = useInfiniteQuery(app.queries.errorsOfProjects(options));
  const listRef = useRef<{ focus: () => void }>(null);
  const [chosen, setChosen] = useState(noRows);
  const { errors, total, more } = useErrorPages(list);
  useEffect(() => keepLastProject(allProjects), []);
  const selection = keepListed(
    chosen,
    errors.map(({ id }) => id),
  );

  const show = (next: { readonly query?: string; readonly sort?: ErrorSort }): void =>
    void navigate({ to: '/errors/all', search: readErrorsSearch({ ...search, ...next }), replace: true });
  const setQuery = useStable((query: string) => {
    setChosen(noRows);
    show({ query });
  });
  const openError = (id: string): void => {
    const error = errors.find((one) => one.id === id);
    if (error !== undefined)
      void navigate({
        to: '/projects/$path/errors/$errorId',
        params: { path: error.project.path, errorId: id },
        search: readErrorsSearch({ ...search }),
      });
  };
  const openProject = (path: string | null): void =>
    path === null
      ? undefined
      : void navigate({ to: '/projects/$path/errors', params: { path }, search: readErrorsSearch({ ...search }) });

  const changeable = new Set((projects.data ?? []).filter(mayChange).map(({ id }) => id));
  const targets = errors
    .filter(({ id, project }) => selection.ids.has(id) && changeable.has(project.id))
    .map((error) => ({ ...error, projectId: error.project.id }));
  useStatusCommands(targets);

  const empty =
    options.query === '' ? (
      <EmptyState
        icon={<Bug aria-hidden />}
        title="No unresolved errors in any project."
        action={<Button onClick={() => setQuery(withStatus('', 'all'))}>Show all errors</Button>}
      />
    ) : (
      <NothingFound what="error" search={options.query} icon={<Bug aria-hidden />} onClear={() => setQuery('')} />
    );
  return (
    <section className={screen['screen']} aria-label="Errors of all projects">
      <ErrorsHead
        total={total}
        query={search.query ?? ''}
        onQuery={setQuery}
        onLeave={() => listRef.current?.focus()}
      />
      <FilterBar
        projects={projects.data ?? []}
        project={null}
        query={search.query ?? ''}
        sort={options.sort}
        onProject={openProject}
        onQuery={setQuery}
        onSort={(sort) => show({ sort })}
      />
      <ErrorArea
        ref={listRef}
        list={list}
        options={options}
        empty={empty}
        errors={errors}
        total={total}
        openId={null}
        selection={selection}
        onSelect={setChosen}
        onSelectAll={() => setChosen({ ...selection, ids: new Set(errors.map(({ id }) => id)) })}
        onOpen={openError}
        onSort={(sort) => show({ sort })}
        onEnd={more}
      />
    </section>
  );
}
