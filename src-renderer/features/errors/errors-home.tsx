import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Bug, FolderPlus } from 'lucide-react';
import { useApp, useSession } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { useRunCommand } from '../../context/use-run-command.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { allProjects, lastProject } from './last-project.ts';

/** Redirects to the errors of the last viewed project; shows an empty state without any project. */
export function ErrorsHome() {
  const { queries } = useApp();
  const run = useRunCommand();
  const isAdmin = useSession().user?.is_admin === true;
  const { data, error, refetch } = useQuery(queries.myProjects());
  if (data !== undefined) {
    const last = lastProject();
    if (last === allProjects && data.length > 1) return <Navigate to="/errors/all" replace />;
    const project =
      data.find(({ path }) => path === last) ?? data.find(({ error_tracking: { active } }) => active) ?? data[0];
    if (project !== undefined) return <Navigate to="/projects/$path/errors" params={{ path: project.path }} replace />;
  }
  const create = isAdmin ? (
    <Button look="primary" icon={<FolderPlus aria-hidden />} onClick={() => run('create-project')}>
      Create project
    </Button>
  ) : null;
  return (
    <Screen title="Errors">
      {data === undefined ? null : (
        <EmptyState icon={<Bug aria-hidden />} title="You are not a member of any project yet." action={create}>
          {isAdmin
            ? 'A project collects the errors of the programs that send to its address. Create one, then paste a few lines into a program.'
            : 'A project collects the errors of the programs that send to its address. Its maintainers can make you a member.'}
        </EmptyState>
      )}
      {error === null ? null : <NotLoaded of={{ data: undefined, error, refetch }} className="padded" />}
    </Screen>
  );
}
