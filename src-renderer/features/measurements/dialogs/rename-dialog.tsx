import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '../../../context/context.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';

/** Changes the title of a measurement. Its id is fixed, because links and scripts use it. */
export function RenameDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { queries } = useApp();
  const detail = useQuery(queries.measurement(id));
  return (
    <Dialog open onClose={onClose} title={`Rename ${id}`} width="narrow">
      <ProblemNote error={detail.error} />
      {detail.data === undefined ? null : <RenameForm id={id} title={detail.data.title} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({
  id,
  title,
  onClose,
}: {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const [value, setValue] = useState(title);

  async function rename(): Promise<void> {
    client.setQueryData(queries.measurement(id).queryKey, await actions.rename(id, value.trim()));
    await client.invalidateQueries({ queryKey: ['measurements', 'list'] });
    onClose();
  }

  return (
    <DialogForm verb="Rename" ready={value.trim() !== ''} onSubmit={rename} onCancel={onClose}>
      <TextField
        label="Title"
        hint="The id does not change: links and scripts use it."
        required
        maxLength={200}
        value={value}
        onChange={setValue}
      />
    </DialogForm>
  );
}
