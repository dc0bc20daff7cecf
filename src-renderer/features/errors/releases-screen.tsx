import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft, Package } from 'lucide-react';
import type { AnnouncedRelease, Project } from '../../api/requests/types.ts';
import { useApp, useScreen } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { useReachable } from '../../context/reachable.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { CommandBlock } from '../../ui/controls/command-block.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import screen from '../../ui/layout/screen.module.css';
import { announceCommands } from './announce-commands.ts';
import styles from './release-table.module.css';
import { ReleaseTable } from './release-table.tsx';

/** The releases of a project that its build tools announced. */
export function ReleasesScreen() {
  useScreen('errors');
  const { queries } = useApp();
  const navigate = useNavigate();
  const { path } = useParams({ from: '/projects/$path/releases' });
  const projects = useQuery(queries.myProjects());
  const project = projects.data?.find((one) => one.path === path);
  const releases = useQuery({ ...queries.announcedReleases(project?.id ?? 0), enabled: project !== undefined });
  const failed = projects.data === undefined ? projects : releases;
  const isMissing = projects.data !== undefined && project === undefined;
  return (
    <Screen
      title={`Releases of ${path}`}
      back={
        <IconButton
          label="Errors of the project"
          icon={<ArrowLeft aria-hidden />}
          onClick={() => void navigate({ to: '/projects/$path/errors', params: { path } })}
        />
      }
      count={releases.data === undefined ? undefined : formatCount(releases.data.length)}
    >
      {isMissing ? <EmptyState title={`There is no project “${path}”, or you are not a member of it.`} /> : null}
      {isMissing ? null : <NotLoaded of={failed} className={screen['note']} />}
      {project === undefined || releases.data === undefined ? null : (
        <Releases project={project} releases={releases.data} />
      )}
    </Screen>
  );
}

function Releases({
  project,
  releases,
}: {
  readonly project: Project;
  readonly releases: readonly AnnouncedRelease[];
}) {
  const reachable = useReachable();
  const { queries } = useApp();
  const { data: service } = useQuery(queries.service());
  if (releases.length > 0) return <ReleaseTable project={project} releases={releases} />;
  return (
    <EmptyState icon={<Package aria-hidden />} title={`No release of ${project.path} has been announced.`}>
      <p>
        Build tools announce releases with Sentry’s command line. Releases that are only named by events are not listed
        here.
      </p>
      {service === undefined ? null : (
        <div className={styles['commands']}>
          <CommandBlock
            about="With a token of yours that has the scope api in SENTRY_AUTH_TOKEN:"
            command={announceCommands(project.path, reachable(service.base_url))}
            label="Copy the commands"
          />
        </div>
      )}
    </EmptyState>
  );
}
