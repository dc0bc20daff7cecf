import { useState } from 'react';
import type { CreatedToken } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { dayAfter } from '../../../src-shared/format/times.ts';
import { Note } from '../../ui/notes/note.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { ScopeChoices } from '../scopes/scope-choices.tsx';
import { scopesOfTokens } from '../scopes/scope-words.ts';
import { ExpiryField, defaultDays } from './expiry-field.tsx';
import type { TokenPrefill } from './token-prefill.ts';
import { TokenSecret } from './token-secret.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

export interface CreateTokenDialogProps {
  readonly open: boolean;
  /** Values from a link; the user still decides. */
  readonly prefill: TokenPrefill | null;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Creates a token and shows its secret once. */
export function CreateTokenDialog({ open, prefill, onClose, onCreated }: CreateTokenDialogProps) {
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const close = (): void => {
    setCreated(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={created === null ? 'Create a token' : `Save token ${created.name}`}
      mustAnswer={created !== null}
    >
      {created === null ? (
        <TokenForm
          prefill={prefill}
          onCancel={close}
          onCreated={(token) => {
            setCreated(token);
            onCreated();
          }}
        />
      ) : (
        <TokenSecret token={created} onSaved={close} />
      )}
    </Dialog>
  );
}

interface TokenFormProps {
  readonly prefill: TokenPrefill | null;
  readonly onCancel: () => void;
  readonly onCreated: (token: CreatedToken) => void;
}

function TokenForm({ prefill, onCancel, onCreated }: TokenFormProps) {
  const { actions } = useApp();
  const now = useNow();
  const [name, setName] = useState(prefill?.name ?? '');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState(prefill?.scopes ?? (['read_measurement'] as const));
  const [day, setDay] = useState(() => dayAfter(defaultDays, now));

  async function create(): Promise<void> {
    const text = description.trim();
    onCreated(
      await actions.createToken({
        name: name.trim(),
        scopes: [...chosen],
        expires_at: day,
        ...(text === '' ? {} : { description: text }),
      }),
    );
  }

  return (
    <DialogForm
      verb="Create token"
      ready={chosen.length > 0 && name.trim() !== ''}
      onSubmit={create}
      onCancel={onCancel}
    >
      {prefill === null ? null : (
        <Note kind="info">
          <p>
            A link has filled in this form. Create the token only if you know who is asking for it, and give it to
            nobody else.
          </p>
          {prefill.unknown.length === 0 ? null : (
            <p>It also asks for {prefill.unknown.join(', ')}, which a token cannot have here.</p>
          )}
        </Note>
      )}
      <TextField
        label="Name"
        hint="The machine or the script that will use it."
        required
        maxLength={255}
        value={name}
        onChange={setName}
      />
      <TextField label="Description (optional)" maxLength={1000} value={description} onChange={setDescription} />
      <ScopeChoices
        offered={scopesOfTokens}
        chosen={chosen}
        hint="Give it no more than it needs."
        onChange={setChosen}
      />
      <ExpiryField day={day} onChange={setDay} />
    </DialogForm>
  );
}
