import { Bug, Settings } from 'lucide-react';
import type { Project } from '../../api/requests/types.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { RowTable, type RowCursor } from '../../ui/lists/row-table.tsx';
import { useSortedRows, type SortColumn } from '../../ui/lists/sorted-rows.ts';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import styles from '../../ui/lists/table.module.css';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { TrackingState } from './monitor/tracking-state.tsx';

const sorts: Readonly<Record<'name' | 'unresolved' | 'created', SortColumn<Project>>> = {
  name: { value: ({ name }) => name, first: 'asc' },
  unresolved: { value: ({ error_tracking: { active, unresolved } }) => (active ? unresolved : null), first: 'desc' },
  created: { value: ({ created_at: at }) => at, first: 'desc' },
};

export interface ProjectTableProps extends RowCursor {
  readonly projects: readonly Project[];
  readonly onErrors: (project: Project) => void;
  readonly onSettings: (project: Project) => void;
}

/**
 * Projects with the user's role and the state of error tracking. One row has the keyboard cursor,
 * arrows move it, Enter opens the project's errors, or its settings while there are none.
 */
export function ProjectTable({ projects, current, onCurrent, onErrors, onSettings }: ProjectTableProps) {
  const tracks = (project: Project): boolean => project.monitor && project.error_tracking.active;
  const sorted = useSortedRows(projects, sorts, { by: 'name', order: 'asc' });
  const onOpen = (project: Project): void => (tracks(project) ? onErrors : onSettings)(project);
  return (
    <RowTable
      label="Projects"
      columns={[
        ['Project', 'name'],
        'Error tracking',
        { words: 'Unresolved', className: styles['numeric'], sort: 'unresolved' },
        'Your role',
        ['Created', 'created'],
        { unseen: 'Actions' },
      ]}
      {...sorted}
      keyOf={({ id }) => id}
      current={current}
      onCurrent={onCurrent}
      onEnter={onOpen}
      onDoubleClick={onOpen}
    >
      {(project) => (
        <>
          <th scope="row" className={styles['name']}>
            <span>{plainText(project.name)}</span>
            <span className={styles['description']} title={project.path}>
              {project.path}
            </span>
          </th>
          <td data-label="Error tracking">
            <TrackingState project={project} />
          </td>
          <td data-label="Unresolved" className={styles['numeric']}>
            {project.error_tracking.active ? formatCount(project.error_tracking.unresolved) : '–'}
          </td>
          <td data-label="Your role">{project.role ?? 'not a member'}</td>
          <TimeCell label="Created" at={project.created_at} />
          <td className={styles['action']}>
            <span className={styles['buttons']}>
              {tracks(project) ? (
                <IconButton label={`Errors of ${project.path}`} icon={<Bug />} onClick={() => onErrors(project)} />
              ) : null}
              <IconButton
                label={`Settings of ${project.path}`}
                icon={<Settings />}
                onClick={() => onSettings(project)}
              />
            </span>
          </td>
        </>
      )}
    </RowTable>
  );
}
