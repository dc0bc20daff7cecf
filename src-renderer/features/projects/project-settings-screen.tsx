import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Bug } from 'lucide-react';
import { useApp, useScreen } from '../../context/context.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { TabView } from '../../ui/layout/tab-view.tsx';
import { GeneralTab } from './general-tab.tsx';
import { MembersTab } from './members/members-tab.tsx';
import { MonitorTab } from './monitor/monitor-tab.tsx';
import { readProjectSearch } from './project-search.ts';
import screen from '../../ui/layout/screen.module.css';
import styles from './projects-screen.module.css';

const scrolled = (content: ReactNode): ReactNode => <div className={screen['scroller']}>{content}</div>;

/** The settings of one project: general, members, and error tracking. */
export function ProjectSettingsScreen() {
  useScreen('project');
  const { queries } = useApp();
  const navigate = useNavigate();
  const { path } = useParams({ from: '/projects/$path/settings' });
  const { tab = 'monitor' } = useSearch({ from: '/projects/$path/settings' });
  const { data: project, error, refetch } = useQuery(queries.project(path));

  return (
    <section className={`${screen['screen']} ${styles['settings']}`} aria-label={`Settings of ${path}`}>
      <PageHeader
        title={project?.name ?? path}
        beside={
          <span className={styles['links']}>
            <code className={styles['path']}>{path}</code>
            <Link to="/projects" className={styles['back'] ?? ''}>
              <ArrowLeft aria-hidden />
              All projects
            </Link>
            <Link to="/projects/$path/errors" params={{ path }} className={styles['back'] ?? ''}>
              <Bug aria-hidden />
              Errors
            </Link>
          </span>
        }
      />
      <NotLoaded of={{ data: project, error, refetch }} className={screen['note']} />
      {project === undefined ? null : (
        <TabView
          value={tab}
          stops
          onChange={(value) =>
            void navigate({
              to: '/projects/$path/settings',
              params: { path },
              search: readProjectSearch({ tab: value }),
              replace: true,
            })
          }
          views={[
            { value: 'general', word: 'General', content: scrolled(<GeneralTab project={project} />) },
            { value: 'members', word: 'Members', content: <MembersTab project={project} /> },
            { value: 'monitor', word: 'Monitor', content: scrolled(<MonitorTab project={project} />) },
          ]}
        />
      )}
    </section>
  );
}
