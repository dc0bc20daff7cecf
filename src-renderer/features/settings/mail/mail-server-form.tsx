import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MailServer } from '../../../api/requests/types.ts';
import { useApp, useToast } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../../ui/controls/text-field.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Form } from '../../../ui/dialogs/form.tsx';
import { UnsavedChanges } from '../../../ui/dialogs/unsaved-changes.tsx';
import styles from '../settings-screen.module.css';
import { LoginFields } from './login-fields.tsx';
import {
  draftOf,
  faultsOf,
  inputOf,
  isChanged,
  isReady,
  withSecurity,
  type MailServerDraft,
} from './mail-server-draft.ts';

const securities = [
  { value: 'starttls', label: 'STARTTLS, required' },
  { value: 'tls', label: 'TLS from the first byte' },
  { value: 'none', label: 'None' },
];

/** Saved by a button, because half a server sends no mail. */
export function MailServerForm({ server }: { readonly server: MailServer }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState<MailServerDraft>(() => draftOf(server));
  const [removing, setRemoving] = useState(false);
  const changed = isChanged(draft, server);
  const faults = faultsOf(draft);
  const change = (part: Partial<MailServerDraft>): void => setDraft({ ...draft, ...part });

  async function store(next: MailServer, said: string): Promise<void> {
    toast({ kind: 'plain', text: said });
    // A replaced password changes nothing that is shown, and must not stay in its field.
    setDraft(draftOf(next));
    client.setQueryData(queries.mailServer().queryKey, next);
    await client.invalidateQueries({ queryKey: ['notifications', 'choices'] });
  }

  return (
    <>
      <Form
        verb="Save"
        ready={changed && isReady(draft)}
        onSubmit={async () => store(await actions.setMailServer(inputOf(draft, server)), 'Mail server saved')}
        beside={
          <>
            <Button look="quiet" disabled={!changed} onClick={() => setDraft(draftOf(server))}>
              Discard changes
            </Button>
            {server === null ? null : <Button onClick={() => setRemoving(true)}>Remove…</Button>}
          </>
        }
      >
        <UnsavedChanges changed={changed} of="the mail server" />
        <div className={styles['limits']}>
          <TextField
            label="Server"
            hint="Such as mail.lab.example."
            error={faults.host}
            state={changed ? <span className="remark">Not saved yet</span> : null}
            required
            spellCheck={false}
            maxLength={253}
            value={draft.host}
            onChange={(host) => change({ host })}
          />
          <TextField
            label="Port"
            error={faults.port}
            required
            inputMode="numeric"
            maxLength={5}
            value={draft.port}
            onChange={(port) => change({ port })}
          />
        </div>
        <SelectField
          label="Encryption"
          value={draft.security}
          options={securities}
          hint={draft.security === 'none' ? 'What is sent, and the password, can be read on the network.' : undefined}
          onChange={(security) => setDraft(withSecurity(draft, security as MailServerDraft['security']))}
        />
        <LoginFields draft={draft} server={server} fault={faults.password} onChange={change} />
        <TextField
          label="From"
          hint="The sender of all messages, such as bench@lab.example."
          error={faults.from}
          required
          inputMode="email"
          spellCheck={false}
          maxLength={320}
          value={draft.from}
          onChange={(from) => change({ from })}
        />
      </Form>
      <ConfirmDialog
        open={removing}
        title="Remove the mail server?"
        verb="Remove"
        onConfirm={async () => store(await actions.setMailServer(null), 'Mail server removed')}
        onClose={() => setRemoving(false)}
      >
        <p>
          Its password is forgotten. Messages by mail wait for another server, and are given up after almost two days.
        </p>
      </ConfirmDialog>
    </>
  );
}
