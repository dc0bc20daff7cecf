import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FolderKanban, FolderPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Project } from '../../api/requests/types.ts';
import { useApp, useCommand, useScreen, useSession } from '../../context/context.ts';
import { matchWords } from '../../ui/lists/match-words.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { CreateProjectDialog } from './create-project-dialog.tsx';
import { ProjectTable } from './project-table.tsx';
import { NothingFound } from '../../ui/notes/nothing-found.tsx';
import { CommandButton } from '../../ui/controls/command-button.tsx';
import screen from '../../ui/layout/screen.module.css';
import styles from './projects-screen.module.css';
import { useRowCursor } from '../../ui/lists/use-chosen-rows.ts';

const adminsAdd =
  'Only administrators can add projects. Ask one to add yours, or ask the owner of a project to make you a member.';

/** The visible projects, with the state of error tracking in each. */
export function ProjectsScreen() {
  useScreen('projects');
  const { queries } = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isAdmin = useSession().user?.is_admin === true;
  const { data, error, refetch } = useQuery(queries.myProjects());
  const [search, setSearch] = useState('');
  const cursor = useRowCursor();
  const [creating, setCreating] = useState(false);
  useCommand('create-project', isAdmin ? () => setCreating(true) : null);

  const shown = (data ?? []).filter((project) => matchWords(`${project.name} ${project.path}`, search));
  const openSettings = ({ path }: Project): void => void navigate({ to: '/projects/$path/settings', params: { path } });
  const openErrors = ({ path }: Project): void => void navigate({ to: '/projects/$path/errors', params: { path } });
  const create = isAdmin ? (
    <CommandButton look="primary" icon={<FolderPlus aria-hidden />} command="create-project">
      Create project
    </CommandButton>
  ) : null;

  return (
    <Screen
      title="Projects"
      count={data === undefined ? undefined : formatCount(data.length)}
      search={{ value: search, label: 'Search projects', onChange: setSearch }}
      action={create}
    >
      {isAdmin || data === undefined || data.length === 0 ? null : <p className={styles['remark']}>{adminsAdd}</p>}
      <NotLoaded of={{ data, error, refetch }} className={screen['note']} />
      {data === undefined ? null : shown.length > 0 ? (
        <ProjectTable projects={shown} {...cursor} onErrors={openErrors} onSettings={openSettings} />
      ) : search === '' ? (
        <NoProjects isAdmin={isAdmin} action={create} />
      ) : (
        <NothingFound what="project" search={search} onClear={() => setSearch('')} />
      )}
      <CreateProjectDialog
        open={creating}
        onClose={() => setCreating(false)}
        onCreated={(project) => {
          void client.invalidateQueries({ queryKey: ['projects'] });
          openSettings(project);
        }}
      />
    </Screen>
  );
}

function NoProjects({ isAdmin, action }: { readonly isAdmin: boolean; readonly action: ReactNode }) {
  return (
    <EmptyState
      icon={<FolderKanban aria-hidden />}
      title="A project brings together the errors of a program and the people who look after it."
      action={action ?? undefined}
    >
      {isAdmin ? null : adminsAdd}
    </EmptyState>
  );
}
