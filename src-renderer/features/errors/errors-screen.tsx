import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApp, useScreen } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { keepLastProject } from './last-project.ts';
import { ProjectErrors } from './project-errors.tsx';

/** The errors of the project in the address. */
export function ErrorsScreen() {
  useScreen('errors');
  const { queries } = useApp();
  const { path } = useParams({ from: '/projects/$path/errors' });
  const { data: projects, error, refetch } = useQuery(queries.myProjects());
  const project = projects?.find((one) => one.path === path);
  const found = project?.path;
  useEffect(() => {
    if (found !== undefined) keepLastProject(found);
  }, [found]);
  if (projects !== undefined && project !== undefined)
    return <ProjectErrors key={project.id} projects={projects} project={project} />;
  return (
    <Screen title="Errors">
      {projects === undefined ? null : (
        <EmptyState title={`There is no project “${path}”, or you are not a member of it.`} />
      )}
      <NotLoaded of={{ data: projects, error, refetch }} className="padded" />
    </Screen>
  );
}
