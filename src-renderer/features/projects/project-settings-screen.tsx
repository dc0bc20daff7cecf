import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Bug } from 'lucide-react';
import { useApp, useScreen } from '../../context/context.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import tabs from '../../ui/layout/tabs.module.css';
import { GeneralTab } from './general-tab.tsx';
import { MembersTab } from './members/members-tab.tsx';
import { MonitorTab } from './monitor/monitor-tab.tsx';
import { readProjectSearch } from './project-search.ts';
import screen from '../../ui/layout/screen.module.css';
import styles from './projects-screen.module.css';

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
      <NotLoaded
        error={project === undefined ? error : null}
        waits={project === undefined}
        onAgain={refetch}
        className={screen['note']}
      />
      {project === undefined ? null : (
        <Tabs.Root
          className={tabs['tabs']}
          value={tab}
          onValueChange={(value) =>
            void navigate({
              to: '/projects/$path/settings',
              params: { path },
              search: readProjectSearch({ tab: value }),
              replace: true,
            })
          }
        >
          <Tabs.List className={tabs['list']} activateOnFocus>
            <Tabs.Tab value="general" className={tabs['tab']}>
              General
            </Tabs.Tab>
            <Tabs.Tab value="members" className={tabs['tab']}>
              Members
            </Tabs.Tab>
            <Tabs.Tab value="monitor" className={tabs['tab']}>
              Monitor
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="general" className={tabs['panel']}>
            <div className={screen['scroller']}>
              <GeneralTab project={project} />
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="members" className={tabs['panel']}>
            <MembersTab project={project} />
          </Tabs.Panel>
          <Tabs.Panel value="monitor" className={tabs['panel']}>
            <div className={screen['scroller']}>
              <MonitorTab project={project} />
            </div>
          </Tabs.Panel>
        </Tabs.Root>
      )}
    </section>
  );
}
