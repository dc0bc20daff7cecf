import { useState } from 'react';
import { useApp } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { createKey } from './create-key.ts';

export interface AddKeyDialogProps {
  readonly open: boolean;
  /** Names of existing keys. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onAdded: () => Promise<void>;
}

/** Names a key and lets the browser create it. */
export function AddKeyDialog({ open, taken, onClose, onAdded }: AddKeyDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Add a security key" width="narrow">
      <KeyForm taken={taken} onClose={onClose} onAdded={onAdded} />
    </Dialog>
  );
}

function KeyForm({ taken, onClose, onAdded }: Omit<AddKeyDialogProps, 'open'>) {
  const { actions } = useApp();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const isTaken = taken.includes(wanted);

  async function add(): Promise<void> {
    await actions.addWebauthnKey(wanted, await createKey(await actions.webauthnOptions()));
    onClose();
    await onAdded();
  }

  return (
    <DialogForm verb="Add" ready={wanted !== '' && !isTaken} onCancel={onClose} onSubmit={add}>
      <TextField
        label="Name"
        error={isTaken ? 'One of your keys already has this name.' : null}
        hint="A name to recognise it by, such as “blue key on my ring” or “laptop”. The browser asks for the key next."
        required
        maxLength={255}
        value={name}
        onChange={setName}
      />
    </DialogForm>
  );
}
