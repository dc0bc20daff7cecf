import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Note } from '../../../ui/notes/note.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { Section } from '../../account/section.tsx';
import { ErrorSettingsForm } from './error-settings-form.tsx';
import { IntegratedBackend, ProjectDsn } from './integrated-backend.tsx';
import { NotAllowed } from '../members/not-allowed.tsx';
import { TrackingState } from './tracking-state.tsx';

/** Settings > Monitor > Error tracking. */
export function MonitorTab({ project }: { readonly project: Project }) {
  if (!project.may_manage) {
    return (
      <Section title="Error tracking" state={<TrackingState project={project} />}>
        <NotAllowed
          project={project}
          needed="maintainer"
          what="You cannot see or change the settings or the client keys, which are secret."
        />
      </Section>
    );
  }
  return <Managed project={project} />;
}

function Managed({ project }: { readonly project: Project }) {
  const { queries } = useApp();
  const [revealed, setRevealed] = useState(false);
  const { data: settings, error, refetch } = useQuery(queries.errorSettings(project.path));
  const isIntegrated = settings?.active === true && settings.integrated;
  return (
    <>
      {isIntegrated ? <ProjectDsn project={project} revealed={revealed} onReveal={setRevealed} /> : null}
      <Section title="Error tracking" state={<TrackingState project={project} />}>
        {project.monitor ? null : (
          <Note kind="warn">
            <p>
              Monitor is off for this project: errors are refused, and an external backend cannot be connected. Switch
              it on under{' '}
              <Link to="/projects/$path/settings" params={{ path: project.path }} search={{ tab: 'general' }}>
                General
              </Link>
              .
            </p>
          </Note>
        )}
        <NotLoaded of={{ data: settings, error, refetch }} />
        {/* Remounted after each save, so that no token stays in a field; not when events arrive
           in the meantime. */}
        {settings === undefined ? null : (
          <ErrorSettingsForm
            key={JSON.stringify({ ...settings, stored_bytes: 0 })}
            project={project}
            settings={settings}
          />
        )}
      </Section>
      {isIntegrated ? <IntegratedBackend project={project} revealed={revealed} /> : null}
    </>
  );
}
