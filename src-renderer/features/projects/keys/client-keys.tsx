import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../../../api/requests/problem.ts';
import type { ClientKey, Project } from '../../../api/requests/types.ts';
import { useApp, useCommand, useToast } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { formatRelative } from '../../../../src-shared/format/times.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { Section } from '../../account/section.tsx';
import { CommandButton } from '../../../ui/controls/command-button.tsx';
import { ClientKeyTable } from './client-key-table.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

/** The client keys of a project: create, rotate and delete. */
export function ClientKeys({ project, keys }: { readonly project: Project; readonly keys: readonly ClientKey[] }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [deleting, setDeleting] = useState<ClientKey | null>(null);
  const [rotating, setRotating] = useState(false);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: queries.clientKeys(project).queryKey });
  const creation = useSubmit(async () => {
    const key = await actions.createClientKey(project.path);
    await refresh();
    toast({ kind: 'plain', text: `Client key ${key.id} created` });
  });
  useCommand('create-client-key', creation.busy ? null : creation.submit);
  useCommand('rotate-client-key', keys.length === 0 ? null : () => setRotating(true));

  return (
    <Section
      title="Client keys"
      about={
        keys.length === 0
          ? 'No program can send errors yet: create a key, and give its DSN to the program.'
          : 'Each has its own DSN, so you can delete one without the others.'
      }
    >
      {keys.length === 0 ? null : <ClientKeyTable keys={keys} onDelete={setDeleting} />}
      {creation.failure === null ? null : <ProblemNote error={toApiError(creation.failure)} />}
      <div className="row">
        <Button
          look={keys.length === 0 ? 'primary' : 'plain'}
          icon={<KeyRound aria-hidden />}
          busy={creation.busy}
          onClick={creation.submit}
        >
          Create key
        </Button>
        {keys.length === 0 ? null : (
          <CommandButton icon={<RefreshCw aria-hidden />} command="rotate-client-key">
            Rotate…
          </CommandButton>
        )}
      </div>
      <RotateKeyDialog
        open={rotating}
        project={project}
        keys={keys}
        onClose={() => setRotating(false)}
        onChanged={refresh}
        onDelete={setDeleting}
      />
      <DeleteKeyDialog project={project} of={deleting} refresh={refresh} onClose={() => setDeleting(null)} />
    </Section>
  );
}

interface DeleteKeyDialogProps {
  readonly project: Project;
  /** The key that is to be deleted. */
  readonly of: ClientKey | null;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

function DeleteKeyDialog({ project, of, refresh, onClose }: DeleteKeyDialogProps) {
  const { actions } = useApp();
  const now = useNow();
  return (
    <ConfirmDialog
      open={of !== null}
      title={`Delete client key ${of?.id ?? ''}?`}
      verb="Delete"
      onConfirm={async () => {
        if (of !== null) await actions.removeClientKey(project.path, of.id);
        await refresh();
      }}
      onClose={onClose}
    >
      <p>
        Programs that use its DSN are refused from then on. The errors they have sent are kept. This cannot be undone.
      </p>
      <p>
        {of === null || of.last_used_at === null
          ? 'It was never used.'
          : `Programs have sent ${countOf(of.events, 'event')} with it, the last ${formatRelative(of.last_used_at, now)}.`}
      </p>
    </ConfirmDialog>
  );
}
