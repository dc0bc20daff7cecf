import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../api/requests/types.ts';
import { useApp, useSession, useToast } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Choice } from '../../ui/controls/field.tsx';
import { Form } from '../../ui/dialogs/form.tsx';
import { Section } from '../account/section.tsx';
import { NotAllowed } from './members/not-allowed.tsx';
import { StorageSection } from './storage-section.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

/** Name and Monitor screens of a project, and deleting it. */
export function GeneralTab({ project }: { readonly project: Project }) {
  const owns = useSession().user?.is_admin === true || project.role === 'owner';
  return (
    <>
      <Section title="General">
        {project.may_manage ? (
          <NameForm key={`${project.name} ${project.monitor}`} project={project} />
        ) : (
          <>
            <p>
              Monitor is{' '}
              {project.monitor ? 'on: the project has error tracking' : 'off: the project has no error tracking'}.
            </p>
            <NotAllowed project={project} needed="maintainer" what="You cannot change the name or Monitor." />
          </>
        )}
      </Section>
      <StorageSection project={project} />
      <Section title="Delete the project">
        {owns ? (
          <DeleteProject project={project} />
        ) : (
          <NotAllowed project={project} needed="owner" what="You cannot delete the project." />
        )}
      </Section>
    </>
  );
}

function NameForm({ project }: { readonly project: Project }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(project.name);
  const [monitor, setMonitor] = useState(project.monitor);
  const changed = name.trim() !== project.name || monitor !== project.monitor;

  async function save(): Promise<void> {
    await actions.changeProject(project.path, {
      ...(name.trim() === project.name ? {} : { name: name.trim() }),
      ...(monitor === project.monitor ? {} : { monitor }),
    });
    toast({ kind: 'plain', text: 'Project saved' });
    await client.invalidateQueries({ queryKey: ['projects'] });
  }

  return (
    <Form verb="Save" ready={changed && name.trim() !== ''} onSubmit={save}>
      <TextField label="Name" required maxLength={255} value={name} onChange={setName} />
      <Choice
        name="monitor"
        label="Monitor"
        meaning="Turns on error tracking for the project. Without it, programs that send errors are refused; stored errors are kept."
        checked={monitor}
        onChange={setMonitor}
      />
    </Form>
  );
}

function DeleteProject({ project }: { readonly project: Project }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <p>
        Its errors, client keys and members go with it. Measurements are kept, but members can no longer read those that
        were shared with the project.
      </p>
      <div>
        <Button onClick={() => setAsked(true)}>Delete project…</Button>
      </div>
      <ConfirmDialog
        open={asked}
        title={`Delete ${project.path}?`}
        verb="Delete"
        onConfirm={async () => {
          await actions.removeProject(project.path);
          await navigate({ to: '/projects', replace: true });
          await client.invalidateQueries({ queryKey: ['projects'] });
        }}
        onClose={() => setAsked(false)}
      >
        <p>
          All errors of the project are deleted, and programs that send with its client keys are refused at once. Its
          members lose what was shared with the project. This cannot be undone.
        </p>
      </ConfirmDialog>
    </>
  );
}
