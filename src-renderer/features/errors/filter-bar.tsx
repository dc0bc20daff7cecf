import { useNavigate } from '@tanstack/react-router';
import { ArrowDownUp, Check, ChevronDown, CircleHelp, Package, Settings2 } from 'lucide-react';
import { useState } from 'react';
import type { ErrorSort, Project } from '../../api/requests/types.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Menu, type MenuEntry } from '../../ui/controls/menu.tsx';
import { statusOf, withStatus, type StatusFilter } from './search/errors-search.ts';
import screen from '../../ui/layout/screen.module.css';
import styles from './errors-screen.module.css';
import { sortWords } from './list/list-columns.ts';
import { SearchHelp } from './search/search-help.tsx';

const filters: readonly { readonly status: StatusFilter; readonly word: string }[] = [
  { status: 'unresolved', word: 'Unresolved' },
  { status: 'resolved', word: 'Resolved' },
  { status: 'ignored', word: 'Ignored' },
  { status: 'all', word: 'All' },
];

export interface FilterBarProps {
  readonly projects: readonly Project[];
  /** Null for the list over all projects. */
  readonly project: Project | null;
  readonly query: string;
  readonly sort: ErrorSort;
  /** Null means all of them. */
  readonly onProject: (path: string | null) => void;
  readonly onQuery: (query: string) => void;
  readonly onSort: (sort: ErrorSort) => void;
}

/** Project, status, order and search help of the list. */
export function FilterBar({ projects, project, query, sort, onProject, onQuery, onSort }: FilterBarProps) {
  const navigate = useNavigate();
  const [helping, setHelping] = useState(false);
  const status = statusOf(query);
  const entries = projects.map((one): MenuEntry => ({
    kind: 'item',
    id: one.path,
    label: one.path,
    checked: one.id === project?.id,
    run: () => onProject(one.path),
  }));
  const all: MenuEntry = {
    kind: 'item',
    id: 'all projects',
    label: 'All projects',
    checked: project === null,
    run: () => onProject(null),
  };
  const sorts = sortWords.map((one): MenuEntry => ({
    kind: 'item',
    id: one.sort,
    label: one.word,
    checked: one.sort === sort,
    run: () => onSort(one.sort),
  }));
  return (
    <div className={styles['bar']}>
      <Menu
        entries={[{ kind: 'heading', id: 'head', label: 'Project' }, ...(projects.length > 1 ? [all] : []), ...entries]}
        trigger={
          <Button aria-label={`Project: ${project?.path ?? 'all'}`} title={project?.name}>
            <span className={styles['project']}>{project?.path ?? 'All projects'}</span>
            <ChevronDown aria-hidden />
          </Button>
        }
      />
      <div className={`${screen['choices']} ${styles['filter']}`} role="group" aria-label="Which errors">
        {filters.map((one) => (
          <button
            key={one.status}
            type="button"
            aria-pressed={status === one.status}
            onClick={() => onQuery(withStatus(query, one.status))}
          >
            {status === one.status ? <Check aria-hidden /> : null}
            {one.word}
          </button>
        ))}
      </div>
      <span className={styles['tools']}>
        <Menu
          align="end"
          entries={[{ kind: 'heading', id: 'head', label: 'Sort by' }, ...sorts]}
          trigger={
            <IconButton
              label={`Sort: ${sortWords.find((one) => one.sort === sort)?.word ?? ''}`}
              icon={<ArrowDownUp />}
            />
          }
        />
        <IconButton label="How to search errors" icon={<CircleHelp />} onClick={() => setHelping(true)} />
        {project === null ? null : (
          <>
            <IconButton
              label="Releases of the project"
              icon={<Package />}
              onClick={() => void navigate({ to: '/projects/$path/releases', params: { path: project.path } })}
            />
            <IconButton
              label="Error tracking settings of the project"
              icon={<Settings2 />}
              onClick={() => void navigate({ to: '/projects/$path/settings', params: { path: project.path } })}
            />
          </>
        )}
      </span>
      <SearchHelp open={helping} onClose={() => setHelping(false)} />
    </div>
  );
}
