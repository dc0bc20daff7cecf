import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { Bug } from 'lucide-react';
import { useApp } from '../../app/context.ts';
import { PageHeader } from '../../app/page-header.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import screen from '../../ui/screen.module.css';
import styles from './errors-screen.module.css';
import { lastProject } from './last-project.ts';

/** Leads to the errors of the project that was looked at last; without any project, says so. */
export function ErrorsHome() {
  const { queries } = useApp();
  const { data, error, refetch } = useQuery(queries.myProjects());
  if (data !== undefined) {
    const last = lastProject();
    const project = data.find(({ path }) => path === last) ?? data.find(({ error_tracking: { active } }) => active) ?? data[0];
    if (project !== undefined) return <Navigate to="/projects/$path/errors" params={{ path: project.path }} replace />;
  }
  return (
    <section className={screen['screen']} aria-label="Errors">
      <PageHeader title="Errors" />
      {data === undefined ? null : (
        <EmptyState icon={<Bug aria-hidden />} title="You are a member of no project yet." action={<Link to="/projects">Go to Projects</Link>}>
          Errors belong to projects.
        </EmptyState>
      )}
      <NotLoaded error={error} onAgain={refetch} className={styles['note']} />
    </section>
  );
}
