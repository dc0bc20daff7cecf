import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OutgoingSettings } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Form } from '../../ui/dialogs/form.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { linesOf, problemOfHosts } from './allowed-hosts.ts';
import styles from './settings-screen.module.css';
import { SettingGroup } from './answers/setting-group.tsx';

/** The private hosts that requests to addresses which users choose may reach; for administrators. */
export function OutgoingSetting() {
  const { queries } = useApp();
  const settings = useQuery(queries.outgoingSettings());
  return (
    <SettingGroup heading="Outgoing requests" of={settings} className={styles['titled']}>
      {({ allowed }) => <OutgoingForm key={allowed.join('\n')} settings={{ allowed }} />}
    </SettingGroup>
  );
}

/** Saved by a button, because half a line would allow or refuse another host. */
function OutgoingForm({ settings }: { readonly settings: OutgoingSettings }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const saved = settings.allowed.join('\n');
  const [text, setText] = useState(saved);
  const hosts = linesOf(text);
  const wrong = problemOfHosts(hosts);
  const changed = hosts.join('\n') !== saved;

  async function save(): Promise<void> {
    const next = await actions.setOutgoing(hosts);
    toast({ kind: 'plain', text: 'Allowed hosts saved', detail: countOf(next.allowed.length, 'entry', 'entries') });
    client.setQueryData(queries.outgoingSettings().queryKey, next);
  }

  return (
    <Form
      verb="Save"
      ready={changed && wrong === null}
      onSubmit={save}
      beside={
        <Button look="quiet" disabled={!changed} onClick={() => setText(saved)}>
          Discard changes
        </Button>
      }
    >
      <UnsavedChanges changed={changed} of="the allowed hosts" />
      <Field
        label="Outgoing requests to private hosts"
        error={wrong}
        state={changed ? <span className="remark">Not saved yet</span> : null}
        hint="Users choose the addresses of external error backends and of webhooks. Public addresses are always allowed; those of a private network or of this machine only if they are here. One per line: a name (sentry.lab), with a port (sentry.lab:9000), an address, or a network (10.1.0.0/16). Metadata services of clouds cannot be allowed."
      >
        {(wiring) => (
          <textarea
            {...wiring}
            rows={6}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </Form>
  );
}
