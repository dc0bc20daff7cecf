import { Link } from '@tanstack/react-router';
import { PlugZap } from 'lucide-react';
import { useState } from 'react';
import { ApiError, toApiError } from '../../../api/requests/problem.ts';
import type { ErrorTrackingSettings, ExternalProject, Project } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import styles from './error-settings-form.module.css';
import { originOf } from './external-address.ts';
import { keepsProject, keepsToken, type SettingsDraft } from './settings-draft.ts';
import { TextField, SelectField } from '../../../ui/controls/text-field.tsx';

export interface ExternalFieldsProps {
  readonly project: Project;
  readonly settings: ErrorTrackingSettings | null;
  readonly draft: SettingsDraft;
  readonly onChange: (change: Partial<SettingsDraft>) => void;
}

const idOf = (one: ExternalProject): string => `${one.organization_slug}/${one.slug}`;

/** The external server, its token, the connection test, and the choice of a project. */
export function ExternalFields({ project, settings, draft, onChange }: ExternalFieldsProps) {
  const { actions } = useApp();
  const [found, setFound] = useState<readonly ExternalProject[] | null>(null);
  const connection = useSubmit(async () => {
    setFound(null);
    setFound(await actions.connectExternal(project.path, draft.host.trim(), draft.token));
  });
  const kept = keepsToken(draft, settings);
  const forOther = settings?.has_token === true && !kept && originOf(draft.host) !== null;
  const saved = keepsProject(draft, settings) ? settings : null;
  // Another address or token may give access to other projects.
  const change = (next: Partial<SettingsDraft>): void => {
    setFound(null);
    connection.forgetFailure();
    onChange({ ...next, chosen: null });
  };

  return (
    <>
      <TextField
        label="API URL"
        hint="Address of the server, such as https://sentry.example."
        required
        inputMode="url"
        spellCheck={false}
        maxLength={255}
        value={draft.host}
        onChange={(host) => change({ host })}
      />
      <TextField
        label="Auth token"
        hint={
          forOther
            ? `The stored token is for ${originOf(settings.api_url ?? '') ?? 'another server'} and is sent nowhere else. Enter one for this server.`
            : kept
              ? 'A token is stored, and is kept if you leave this empty. It needs at least the scopes project:read, event:read and event:write.'
              : 'Create it on that server, with at least the scopes project:read, event:read and event:write.'
        }
        type="password"
        spellCheck={false}
        maxLength={500}
        placeholder={kept ? '••••••••••••' : ''}
        value={draft.token}
        onChange={(token) => change({ token })}
      />
      <div className={styles['connect']}>
        <Button
          icon={<PlugZap aria-hidden />}
          busy={connection.busy}
          disabled={originOf(draft.host) === null || (draft.token === '' && !kept)}
          onClick={connection.submit}
        >
          Connect
        </Button>
        <span role="status">
          {connection.busy
            ? 'Asking the server…'
            : found === null
              ? ''
              : found.length === 0
                ? 'Connected, but the token cannot read any project.'
                : `Connected: ${countOf(found.length, 'project')}.`}
        </span>
      </div>
      {connection.failure === null ? null : <ConnectionFailure failure={connection.failure} project={project} />}
      <SelectField
        label="Project"
        hint={found === null ? 'Connect to choose from the projects that the token can read.' : undefined}
        disabled={found === null || found.length === 0}
        value={draft.chosen === null ? '' : idOf(draft.chosen)}
        options={[
          { value: '', label: saved === null ? 'None chosen' : (saved.project_name ?? saved.api_url ?? '') },
          ...(found ?? []).map((one) => ({ value: idOf(one), label: `${one.organization_name} / ${one.name}` })),
        ]}
        onChange={(id) => onChange({ chosen: found?.find((one) => idOf(one) === id) ?? null })}
      />
    </>
  );
}

function ConnectionFailure({ failure, project }: { readonly failure: unknown; readonly project: Project }) {
  const { detail, status, requestId, type } = toApiError(failure);
  // The words of the specification's Errors table: while Monitor is off the request returns 404.
  const monitorOff = status === 404;
  const told = monitorOff
    ? 'Check the auth token. If it is right, the cause is that Monitor is off for this project.'
    : detail;
  return (
    <ProblemNote
      error={new ApiError({ title: 'The connection failed', detail: told, status, requestId, type })}
      action={
        monitorOff ? (
          <Link to="/projects/$path/settings" params={{ path: project.path }} search={{ tab: 'general' }}>
            Switch Monitor on
          </Link>
        ) : undefined
      }
    />
  );
}
